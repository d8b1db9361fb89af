"""LlamaIndex over its OpenAILike classes."""
from llama_index.core import Document, VectorStoreIndex
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.tools import FunctionTool
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel

from cases import OPENAI, TOOL_RESULT, WORDS, awaited, case, doors, equal, finish, live, true


class Weather(BaseModel):
    """The weather of a city."""

    city: str
    degrees: float


def get_weather(city: str) -> str:
    """Weather of a city."""
    return '21 degrees in ' + city


def connect(door, **options):
    return OpenAILike(
        model=door.model,
        api_base=OPENAI,
        api_key=door.key,
        is_chat_model=True,
        is_function_calling_model=True,
        context_window=32000,
        max_retries=0,
        **options,
    )


def embedding():
    return OpenAILikeEmbedding(model_name='openai/test-embedding', api_base=OPENAI, api_key=live.key)


def try_door(door):
    llm = connect(door)
    prompt = door.calling('get_weather', city='Paris')

    @case(f'{door.name}: complete answers')
    def _():
        equal(str(llm.complete(door.saying)), WORDS)

    @case(f'{door.name}: stream_complete brings the words in pieces')
    def _():
        pieces = list(llm.stream_complete(door.saying))
        equal(pieces[-1].text, WORDS)
        true(len(pieces) > 2, pieces)

    @case(f'{door.name}: predict_and_call calls the function')
    def _():
        equal(str(llm.predict_and_call([FunctionTool.from_defaults(get_weather)], prompt)), TOOL_RESULT)

    for is_streaming in (True, False):

        @case(f'{door.name}: FunctionAgent uses its tool, streaming={is_streaming}')
        def _():
            async def run():
                return await FunctionAgent(tools=[get_weather], llm=llm, streaming=is_streaming).run(prompt)

            answer = str(awaited(run()))
            if door is live:
                equal(answer, 'The tool said: ' + TOOL_RESULT)
            true(answer, 'no answer')

    @case(f'{door.name}: as_structured_llm fits the model of pydantic')
    def _():
        raw = connect(door, should_use_structured_outputs=True).as_structured_llm(Weather).complete('How warm?').raw
        true(isinstance(raw, Weather), raw)


for door in doors:
    try_door(door)


@case('live: a text is embedded')
def _():
    true(len(embedding().get_text_embedding('a')) > 0, 'no vector')


@case('live: an index answers through its query engine')
def _():
    index = VectorStoreIndex.from_documents([Document(text='Geese pay three crowns.')], embed_model=embedding())
    equal(str(index.as_query_engine(llm=connect(live)).query('What do geese pay?')), WORDS)


finish()

"""LangChain and LangGraph over langchain-openai."""
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel

from cases import OPENAI, TOOL_RESULT, WORDS, awaited, case, doors, equal, finish, live, true

try:
    from langchain.agents import create_agent
except ImportError:
    # LangChain 0.3 has its agents in LangGraph.
    from langgraph.prebuilt import create_react_agent as create_agent


class Weather(BaseModel):
    """The weather of a city."""

    city: str
    degrees: float


@tool
def get_weather(city: str) -> str:
    """Weather of a city."""
    return '21 degrees in ' + city


def text(message):
    content = message.content
    return content if isinstance(content, str) else ''.join(part.get('text', '') for part in content)


def try_model(door, protocol, options):
    name = f'{door.name}, {protocol}'
    model = ChatOpenAI(model=door.model, base_url=OPENAI, api_key=door.key, max_retries=0, **options)
    prompt = door.calling('get_weather', city='Paris')

    @case(f'{name}: invoke answers')
    def _():
        equal(text(model.invoke(door.saying)), WORDS)

    @case(f'{name}: stream brings the words in pieces')
    def _():
        pieces = [text(piece) for piece in model.stream(door.saying)]
        equal(''.join(pieces), WORDS)
        true(len(pieces) > 2, pieces)

    @case(f'{name}: astream brings the same words')
    def _():
        async def read():
            return ''.join([text(piece) async for piece in model.astream(door.saying)])

        equal(awaited(read()), WORDS)

    @case(f'{name}: bind_tools calls the function')
    def _():
        [call] = model.bind_tools([get_weather]).invoke(prompt).tool_calls
        equal([call['name'], call['args']], ['get_weather', {'city': 'Paris'}])

    @case(f'{name}: with_structured_output fits the model of pydantic')
    def _():
        true(isinstance(model.with_structured_output(Weather, method='json_schema').invoke('How warm?'), Weather), 'no Weather')

    @case(f'{name}: with_structured_output by a function')
    def _():
        asked = door.calling('Weather', city='Paris', degrees=21)
        true(isinstance(model.with_structured_output(Weather, method='function_calling').invoke(asked), Weather), 'no Weather')

    @case(f'{name}: an agent of LangGraph uses its tool')
    def _():
        messages = create_agent(model, tools=[get_weather]).invoke({'messages': [('user', prompt)]})['messages']
        equal([message.type for message in messages], ['human', 'ai', 'tool', 'ai'])
        if door is live:
            equal(text(messages[-1]), 'The tool said: ' + TOOL_RESULT)

    @case(f'{name}: an agent of LangGraph streams its messages')
    def _():
        agent = create_agent(model, tools=[get_weather])
        pieces = list(agent.stream({'messages': [('user', prompt)]}, stream_mode='messages'))
        true(len(pieces) > 4, pieces)


for door in doors:
    for protocol, options in (('chat', {}), ('responses', {'use_responses_api': True})):
        try_model(door, protocol, options)


@case('live: documents are embedded as texts')
def _():
    embeddings = OpenAIEmbeddings(
        model='openai/test-embedding', base_url=OPENAI, api_key=live.key, check_embedding_ctx_length=False
    )
    equal(len(embeddings.embed_documents(['a', 'b'])), 2)


finish()

"""Haystack's generators, agent and embedders."""
from typing import Annotated

from haystack import Document
from haystack.components.agents import Agent
from haystack.components.embedders import OpenAIDocumentEmbedder, OpenAITextEmbedder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from haystack.utils import Secret
from pydantic import BaseModel

from cases import OPENAI, TOOL_RESULT, WORDS, case, doors, equal, finish, live, true


class Weather(BaseModel):
    city: str
    degrees: float


@tool
def get_weather(city: Annotated[str, 'the city']) -> str:
    """Weather of a city."""
    return '21 degrees in ' + city


def try_door(door):
    def generator(kind=OpenAIChatGenerator, **options):
        return kind(api_key=Secret.from_token(door.key), model=door.model, api_base_url=OPENAI, max_retries=0, **options)

    prompt = ChatMessage.from_user(door.calling('get_weather', city='Paris'))

    @case(f'{door.name}: the chat generator answers')
    def _():
        equal(generator().run([ChatMessage.from_user(door.saying)])['replies'][0].text, WORDS)

    @case(f'{door.name}: the chat generator streams')
    def _():
        pieces = []
        generator(streaming_callback=pieces.append).run([ChatMessage.from_user(door.saying)])
        equal(''.join(piece.content for piece in pieces), WORDS)

    @case(f'{door.name}: a tool is called')
    def _():
        [call] = generator(tools=[get_weather]).run([prompt])['replies'][0].tool_calls
        equal([call.tool_name, call.arguments], ['get_weather', {'city': 'Paris'}])

    @case(f'{door.name}: an agent uses its tool')
    def _():
        answer = Agent(chat_generator=generator(), tools=[get_weather]).run(messages=[prompt])['messages'][-1].text
        if door is live:
            equal(answer, 'The tool said: ' + TOOL_RESULT)
        true(answer, 'no answer')

    @case(f'{door.name}: an answer fits the schema')
    def _():
        structured = generator(generation_kwargs={'response_format': Weather})
        Weather.model_validate_json(structured.run([ChatMessage.from_user('How warm?')])['replies'][0].text)

    try:
        from haystack.components.generators.chat import OpenAIResponsesChatGenerator
    except ImportError:
        print('left out: the generator of responses; this version has none')
        return

    @case(f'{door.name}: the generator of responses streams')
    def _():
        pieces = []
        streaming = generator(OpenAIResponsesChatGenerator, streaming_callback=pieces.append)
        equal(streaming.run([ChatMessage.from_user(door.saying)])['replies'][0].text, WORDS)
        true(len(pieces) > 2, pieces)


for door in doors:
    try_door(door)


@case('live: texts and documents are embedded')
def _():
    options = {'api_key': Secret.from_token(live.key), 'model': 'openai/test-embedding', 'api_base_url': OPENAI}
    vector = OpenAITextEmbedder(**options).run('a')['embedding']
    [document] = OpenAIDocumentEmbedder(**options).run([Document(content='a')])['documents']
    equal(len(document.embedding), len(vector))


finish()

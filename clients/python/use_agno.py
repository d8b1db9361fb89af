"""agno: agents over chats and over responses."""
from agno.agent import Agent
from agno.models.openai import OpenAIChat, OpenAIResponses
from agno.models.openai.like import OpenAILike
from pydantic import BaseModel

from cases import OPENAI, TOOL_RESULT, WORDS, case, doors, equal, finish, live, true


class Weather(BaseModel):
    city: str
    degrees: float


def get_weather(city: str) -> str:
    """The weather of a city."""
    return TOOL_RESULT


def text_of(stream):
    return ''.join(event.content for event in stream if event.event == 'RunContent' and event.content)


for kind in (OpenAIChat, OpenAILike, OpenAIResponses):
    for door in doors:

        def agent(**more):
            model = kind(id=door.model, base_url=OPENAI, api_key=door.key)
            return Agent(model=model, telemetry=False, **more)

        @case(f'{kind.__name__}, {door.name}: a run answers')
        def _():
            equal(agent().run(door.saying).content, WORDS)

        @case(f'{kind.__name__}, {door.name}: a run streams')
        def _():
            equal(text_of(agent().run(door.saying, stream=True, stream_events=True)), WORDS)

        @case(f'{kind.__name__}, {door.name}: a function is called, also in a stream')
        def _():
            prompt = door.calling('get_weather', city='Paris')
            answers = [
                agent(tools=[get_weather]).run(prompt).content,
                text_of(agent(tools=[get_weather]).run(prompt, stream=True, stream_events=True)),
            ]
            if door is live:
                equal(answers, ['The tool said: ' + TOOL_RESULT] * 2)
            true(all(answers), answers)

        @case(f'{kind.__name__}, {door.name}: an answer fits a model of pydantic')
        def _():
            true(isinstance(agent(output_schema=Weather).run('How warm is it?').content, Weather), 'no Weather')


finish()

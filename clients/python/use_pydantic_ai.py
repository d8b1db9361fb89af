"""pydantic-ai, over chat and responses."""
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from cases import OPENAI, TOOL_RESULT, WORDS, awaited, case, doors, equal, finish, live, true


class Weather(BaseModel):
    city: str
    degrees: float


def try_model(door, protocol, kind):
    name = f'{door.name}, {protocol}'
    model = kind(door.model, provider=OpenAIProvider(base_url=OPENAI, api_key=door.key))

    @case(f'{name}: a run answers')
    def _():
        equal(Agent(model, instructions='Be kind.').run_sync(door.saying).output, WORDS)

    @case(f'{name}: a run streams')
    def _():
        async def read():
            async with Agent(model).run_stream(door.saying) as result:
                return ''.join([piece async for piece in result.stream_text(delta=True)])

        equal(awaited(read()), WORDS)

    @case(f'{name}: an agent uses its tool')
    def _():
        agent = Agent(model)

        @agent.tool_plain
        def get_weather(city: str) -> str:
            """Weather of a city."""
            return '21 degrees in ' + city

        answer = agent.run_sync(door.calling('get_weather', city='Paris')).output
        if door is live:
            equal(answer, 'The tool said: ' + TOOL_RESULT)
        true(answer, 'no answer')

    @case(f'{name}: an output comes by a tool')
    def _():
        prompt = door.calling('final_result', city='Paris', degrees=21)
        true(isinstance(Agent(model, output_type=Weather).run_sync(prompt).output, Weather), 'no Weather')

    @case(f'{name}: an output comes by the schema')
    def _():
        output = Agent(model, output_type=NativeOutput(Weather)).run_sync('How warm?').output
        true(isinstance(output, Weather), output)

    @case(f'{name}: a history is sent along')
    def _():
        agent = Agent(model)
        first = agent.run_sync(door.saying)
        equal(agent.run_sync(door.saying, message_history=first.all_messages()).output, WORDS)


for door in doors:
    for protocol, kind in (('chat', OpenAIChatModel), ('responses', OpenAIResponsesModel)):
        try_model(door, protocol, kind)
finish()

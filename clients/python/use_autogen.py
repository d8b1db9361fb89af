"""AutoGen: its client of chats, and an agent with a function."""
from autogen_agentchat.agents import AssistantAgent
from autogen_core.models import UserMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient
from pydantic import BaseModel

from cases import OPENAI, TOOL_RESULT, WORDS, awaited, case, doors, equal, finish, live, true

# It asks what a model that it does not know can do.
INFO = {'vision': False, 'function_calling': True, 'json_output': True, 'family': 'unknown', 'structured_output': True}


class Weather(BaseModel):
    city: str
    degrees: float


async def get_weather(city: str) -> str:
    """The weather of a city."""
    return TOOL_RESULT


def user(text):
    return [UserMessage(content=text, source='user')]


for door in doors:
    client = OpenAIChatCompletionClient(model=door.model, base_url=OPENAI, api_key=door.key, model_info=INFO)

    @case(f'{door.name}: an answer')
    def _():
        equal(awaited(client.create(user(door.saying))).content, WORDS)

    @case(f'{door.name}: a stream, with its usage')
    def _():
        async def read():
            options = {'stream_options': {'include_usage': True}}
            return [piece async for piece in client.create_stream(user(door.saying), extra_create_args=options)]

        *pieces, end = awaited(read())
        equal(''.join(pieces), WORDS)
        true(end.usage.prompt_tokens > 0, end)

    @case(f'{door.name}: an answer fits a model of pydantic')
    def _():
        Weather.model_validate_json(awaited(client.create(user('How warm is it?'), json_output=Weather)).content)

    @case(f'{door.name}: an agent calls its function, in a stream too')
    def _():
        async def read():
            agent = AssistantAgent('a', client, tools=[get_weather], reflect_on_tool_use=True, model_client_stream=True)
            return [event async for event in agent.run_stream(task=door.calling('get_weather', city='Paris'))]

        answer = awaited(read())[-1].messages[-1].content
        if door is live:
            equal(answer, 'The tool said: ' + TOOL_RESULT)
        true(answer, 'no answer')


finish()

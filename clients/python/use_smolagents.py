"""smolagents: its model for OpenAI's protocol, and an agent that calls tools."""
from smolagents import OpenAIServerModel, ToolCallingAgent, tool

from cases import OPENAI, TOOL_RESULT, WORDS, case, doors, equal, finish, live, true


def user(text):
    return [{'role': 'user', 'content': [{'type': 'text', 'text': text}]}]


@tool
def get_weather(city: str) -> str:
    """The weather of a city.

    Args:
        city: Its name.
    """
    return TOOL_RESULT


for door in doors:
    model = OpenAIServerModel(model_id=door.model, api_base=OPENAI, api_key=door.key)

    @case(f'{door.name}: an answer')
    def _():
        equal(model.generate(user(door.saying)).content, WORDS)

    @case(f'{door.name}: a stream')
    def _():
        equal(''.join(delta.content or '' for delta in model.generate_stream(user(door.saying))), WORDS)

    @case(f'{door.name}: a demanded tool is called')
    def _():
        [call] = model.generate(user(door.calling('get_weather', city='Paris')), tools_to_call_from=[get_weather]).tool_calls
        equal(call.function.name, 'get_weather')


@case('live: an agent calls its tool, and its run ends')
def _():
    agent = ToolCallingAgent(tools=[get_weather], model=OpenAIServerModel(live.model, api_base=OPENAI, api_key=live.key), max_steps=2)
    true(agent.run('How is the weather?'), 'no answer')
    calls = [call.name for step in agent.memory.steps for call in getattr(step, 'tool_calls', None) or []]
    true('get_weather' in calls, calls)


finish()

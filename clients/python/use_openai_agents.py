"""The Agents SDK of OpenAI, over chat and responses."""
from agents import Agent, FileSearchTool, OpenAIProvider, RunConfig, Runner, SQLiteSession, function_tool
from pydantic import BaseModel

from cases import OPENAI, TOOL_RESULT, WORDS, awaited, case, doors, equal, finish, live, sandbox, true


@function_tool
def get_weather(city: str) -> str:
    """Weather of a city."""
    return '21 degrees in ' + city


class Weather(BaseModel):
    city: str
    degrees: float


def try_model(door, protocol, use_responses):
    name = f'{door.name}, {protocol}'
    provider = OpenAIProvider(base_url=OPENAI, api_key=door.key, use_responses=use_responses)
    config = RunConfig(model_provider=provider, tracing_disabled=True)

    def run(prompt, session=None, **options):
        return Runner.run_sync(Agent(name='a', model=door.model, **options), prompt, run_config=config, session=session)

    @case(f'{name}: a run answers')
    def _():
        equal(run(door.saying, instructions='Be kind.').final_output, WORDS)

    @case(f'{name}: a run streams')
    def _():
        async def read():
            result = Runner.run_streamed(Agent(name='a', model=door.model), door.saying, run_config=config)
            return len([event async for event in result.stream_events()]), result.final_output

        events, output = awaited(read())
        equal(output, WORDS)
        true(events > 4, events)

    @case(f'{name}: a tool is used')
    def _():
        answer = run(door.calling('get_weather', city='Paris'), tools=[get_weather]).final_output
        if door is live:
            equal(answer, 'The tool said: ' + TOOL_RESULT)
        true(answer, 'no answer')

    @case(f'{name}: an output has its type')
    def _():
        true(isinstance(run('How warm?', output_type=Weather).final_output, Weather), 'no Weather')

    @case(f'{name}: a handoff reaches the other agent')
    def _():
        billing = Agent(name='Billing', model=door.model, instructions='Answer about bills.')
        prompt = door.calling('transfer_to_billing')
        if door is live:
            # Its tool's result is the last message that the scripted model sees.
            equal(run(prompt, handoffs=[billing]).last_agent.name, 'Billing')
        else:
            true(run(prompt, handoffs=[billing]).last_agent.name == 'Billing', 'not handed off')

    @case(f'{name}: a session keeps the turns')
    def _():
        session = SQLiteSession(name)
        run(door.saying, session=session)
        equal(run(door.saying, session=session).final_output, WORDS)
        equal(len(awaited(session.get_items())), 4)


for door in doors:
    for protocol, use_responses in (('responses', True), ('chat', False)):
        try_model(door, protocol, use_responses)


@case('sandbox, responses: a search of files is an item, and is sent back with the next turn')
def _():
    provider = OpenAIProvider(base_url=OPENAI, api_key=sandbox.key, use_responses=True)
    config = RunConfig(model_provider=provider, tracing_disabled=True)
    tool = FileSearchTool(vector_store_ids=[sandbox.collection], include_search_results=True)
    agent = Agent(name='a', model='sandbox', tools=[tool])
    session = SQLiteSession('files')
    for question in ('How many days of annual leave?', 'How many days of paid leave?'):
        result = Runner.run_sync(agent, question, run_config=config, session=session)
        equal([type(item).__name__ for item in result.new_items], ['ToolCallItem', 'MessageOutputItem'])
        true('27 days' in result.final_output, result.final_output)


finish()

"""CrewAI: its model, and a crew of one."""
from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool

from cases import OPENAI, TOOL_RESULT, WORDS, case, doors, equal, finish, live, true

DECLARED = {
    'type': 'function',
    'function': {
        'name': 'get_weather',
        'description': 'The weather of a city.',
        'parameters': {'type': 'object', 'properties': {'city': {'type': 'string'}}},
    },
}


@tool('get_weather')
def get_weather(city: str) -> str:
    """The weather of a city."""
    return TOOL_RESULT


for door in doors:

    def model(**more):
        return LLM(model='openai/' + door.model, base_url=OPENAI, api_key=door.key, **more)

    @case(f'{door.name}: an answer')
    def _():
        equal(model().call(door.saying), WORDS)

    @case(f'{door.name}: a stream')
    def _():
        equal(model(stream=True).call(door.saying), WORDS)

    @case(f'{door.name}: a function is called')
    def _():
        called = []
        functions = {'get_weather': lambda city: called.append(city) or TOOL_RESULT}
        model().call(door.calling('get_weather', city='Paris'), tools=[DECLARED], available_functions=functions)
        equal(called, ['Paris'])


@case('live: a crew does its task with a tool')
def _():
    llm = LLM(model='openai/' + live.model, base_url=OPENAI, api_key=live.key)
    agent = Agent(role='r', goal='g', backstory='b', llm=llm, tools=[get_weather], verbose=False, max_iter=2)
    task = Task(description='How is the weather?', expected_output='A sentence', agent=agent)
    true(TOOL_RESULT in str(Crew(agents=[agent], tasks=[task], verbose=False).kickoff()), 'no result')


finish()

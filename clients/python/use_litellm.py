"""LiteLLM as a library."""
import litellm
from pydantic import BaseModel

from cases import OPENAI, WORDS, awaited, case, doors, equal, finish, live, raises, true

litellm.suppress_debug_info = True
TOOL = {
    'type': 'function',
    'function': {'name': 'get_weather', 'parameters': {'type': 'object', 'properties': {'city': {'type': 'string'}}}},
}


class Weather(BaseModel):
    city: str
    degrees: float


def user(text):
    return [{'role': 'user', 'content': text}]


def try_door(door):
    server = {'model': 'openai/' + door.model, 'api_base': OPENAI, 'api_key': door.key}
    options = {**server, 'num_retries': 0, 'max_retries': 0}

    @case(f'{door.name}: completion answers')
    def _():
        equal(litellm.completion(messages=user(door.saying), **options).choices[0].message.content, WORDS)

    @case(f'{door.name}: completion streams')
    def _():
        stream = litellm.completion(messages=user(door.saying), stream=True, **options)
        equal(''.join(chunk.choices[0].delta.content or '' for chunk in stream), WORDS)

    @case(f'{door.name}: acompletion streams')
    def _():
        async def read():
            stream = await litellm.acompletion(messages=user(door.saying), stream=True, **options)
            return ''.join([chunk.choices[0].delta.content or '' async for chunk in stream])

        equal(awaited(read()), WORDS)

    @case(f'{door.name}: a function is called')
    def _():
        prompt = door.calling('get_weather', city='Paris')
        [call] = litellm.completion(messages=user(prompt), tools=[TOOL], **options).choices[0].message.tool_calls
        equal(call.function.name, 'get_weather')

    @case(f'{door.name}: an answer fits response_format')
    def _():
        message = litellm.completion(messages=user('How warm?'), response_format=Weather, **options).choices[0].message
        Weather.model_validate_json(message.content)

    @case(f'{door.name}: a response answers')
    def _():
        equal(litellm.responses(input=door.saying, **server).output[0].content[0].text, WORDS)

    @case(f'{door.name}: a response streams')
    def _():
        events = list(litellm.responses(input=door.saying, stream=True, **server))
        deltas = [event.delta for event in events if event.type == 'response.output_text.delta']
        equal(''.join(deltas), WORDS)

    @case(f'{door.name}: errors are those of their kind')
    def _():
        raises(litellm.NotFoundError, lambda: litellm.completion(messages=user('x'), **{**options, 'model': 'openai/nope'}))
        wrong = {**options, 'api_key': 'sk_test_bad'}
        raises(litellm.AuthenticationError, lambda: litellm.completion(messages=user('x'), **wrong))


for door in doors:
    try_door(door)


@case('live: a text is embedded')
def _():
    reply = litellm.embedding(model='openai/openai/test-embedding', input=['a'], api_base=OPENAI, api_key=live.key)
    true(len(reply.data[0]['embedding']) > 0, 'no vector')


finish()

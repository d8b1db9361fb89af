"""OpenAI's own package, 1.x to 3.x: each feature as its README shows it."""
import openai
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel

from cases import OPENAI, TOOL_RESULT, WORDS, awaited, case, doors, equal, finish, live, raises, sandbox, true


class Weather(BaseModel):
    city: str
    degrees: float


FUNCTION = {
    'name': 'get_weather',
    'description': 'Weather of a city',
    'parameters': {
        'type': 'object',
        'properties': {'city': {'type': 'string'}},
        'required': ['city'],
        'additionalProperties': False,
    },
    'strict': True,
}
TOOL = {'type': 'function', 'function': FUNCTION}


def user(text):
    return [{'role': 'user', 'content': text}]


def connect(door, **options):
    return OpenAI(base_url=OPENAI, api_key=door.key, max_retries=0, **options)


print('openai', openai.__version__)
has_responses = hasattr(connect(sandbox), 'responses')


def try_chat(door):
    client = connect(door)
    create = client.chat.completions.create

    @case(f'{door.name}: models are listed')
    def _():
        true(len([model.id for model in client.models.list()]) > 0, 'no model')

    @case(f'{door.name}: a chat answers')
    def _():
        answer = create(model=door.model, messages=user(door.saying))
        equal(answer.choices[0].message.content, WORDS)
        true(answer.usage.total_tokens > 0, 'no tokens')

    @case(f'{door.name}: a chat streams, with its usage')
    def _():
        chunks = list(create(model=door.model, messages=user(door.saying), stream=True, stream_options={'include_usage': True}))
        equal(''.join(chunk.choices[0].delta.content or '' for chunk in chunks if chunk.choices), WORDS)
        equal(len([chunk for chunk in chunks if chunk.usage]), 1)

    @case(f'{door.name}: a chat streams to an asynchronous client')
    def _():
        async def read():
            client = AsyncOpenAI(base_url=OPENAI, api_key=door.key)
            stream = await client.chat.completions.create(model=door.model, messages=user(door.saying), stream=True)
            return ''.join([chunk.choices[0].delta.content or '' async for chunk in stream if chunk.choices])

        equal(awaited(read()), WORDS)

    @case(f'{door.name}: a function of a chat is called, and its result is answered')
    def _():
        messages = user(door.calling('get_weather', city='Paris'))
        message = create(model=door.model, messages=messages, tools=[TOOL]).choices[0].message
        equal(message.tool_calls[0].function.arguments.replace(' ', ''), '{"city":"Paris"}')
        result = {'role': 'tool', 'tool_call_id': message.tool_calls[0].id, 'content': TOOL_RESULT}
        answer = create(model=door.model, messages=[*messages, message, result], tools=[TOOL]).choices[0].message.content
        if door is live:
            equal(answer, 'The tool said: ' + TOOL_RESULT)
        true(answer, 'no answer')

    @case(f'{door.name}: a call of a function streams')
    def _():
        stream = create(model=door.model, messages=user(door.calling('get_weather', city='Paris')), tools=[TOOL], stream=True)
        calls = [call for chunk in stream if chunk.choices for call in chunk.choices[0].delta.tool_calls or []]
        equal(''.join(call.function.arguments or '' for call in calls).replace(' ', ''), '{"city":"Paris"}')

    @case(f'{door.name}: tool_choice none calls nothing')
    def _():
        answer = create(model=door.model, messages=user(door.saying), tools=[TOOL], tool_choice='none')
        equal(answer.choices[0].finish_reason, 'stop')

    @case(f'{door.name}: an answer is parsed into a model of pydantic')
    def _():
        parse = client.chat.completions.parse if hasattr(client.chat.completions, 'parse') else client.beta.chat.completions.parse
        message = parse(model=door.model, messages=user('How warm is it?'), response_format=Weather).choices[0].message
        true(isinstance(message.parsed, Weather), message)


def try_responses(door):
    client = connect(door)
    create = client.responses.create
    tool = {'type': 'function', **FUNCTION}

    @case(f'{door.name}: a response answers')
    def _():
        response = create(model=door.model, input=door.saying, instructions='Be kind.')
        equal([response.output_text, response.status], [WORDS, 'completed'])

    @case(f'{door.name}: a response streams')
    def _():
        events = list(create(model=door.model, input=door.saying, stream=True))
        equal(''.join(event.delta for event in events if event.type == 'response.output_text.delta'), WORDS)
        equal(events[-1].type, 'response.completed')

    @case(f'{door.name}: the helper of streams has the final response')
    def _():
        with client.responses.stream(model=door.model, input=door.saying) as stream:
            for _event in stream:
                pass
            equal(stream.get_final_response().output_text, WORDS)

    @case(f'{door.name}: a function of a response is called, and its result is answered')
    def _():
        first = create(model=door.model, input=door.calling('get_weather', city='Paris'), tools=[tool])
        call = next(item for item in first.output if item.type == 'function_call')
        result = {'type': 'function_call_output', 'call_id': call.call_id, 'output': TOOL_RESULT}
        second = create(model=door.model, previous_response_id=first.id, tools=[tool], input=[result])
        if door is live:
            equal(second.output_text, 'The tool said: ' + TOOL_RESULT)
        true(second.output_text, 'no answer')

    @case(f'{door.name}: a response is parsed into a model of pydantic')
    def _():
        parsed = client.responses.parse(model=door.model, input='How warm is it?', text_format=Weather).output_parsed
        true(isinstance(parsed, Weather), parsed)

    @case(f'{door.name}: a conversation keeps its items')
    def _():
        conversation = client.conversations.create(items=[{'type': 'message', 'role': 'user', 'content': 'I am Ada.'}])
        create(model=door.model, input=door.saying, conversation=conversation.id)
        true(len(list(client.conversations.items.list(conversation.id))) >= 3, 'items are missing')
        client.conversations.delete(conversation.id)

    @case(f'{door.name}: a response in the background is retrieved and deleted')
    def _():
        response = create(model=door.model, input=door.saying, background=True)
        for _ in range(300):
            if response.status not in ('queued', 'in_progress'):
                break
            response = client.responses.retrieve(response.id)
        equal([response.status, response.output_text], ['completed', WORDS])
        client.responses.delete(response.id)

    @case(f'{door.name}: an unknown vector store of file_search is refused')
    def _():
        tools = [{'type': 'file_search', 'vector_store_ids': ['vs_does_not_exist']}]
        equal(raises(openai.BadRequestError, lambda: create(model=door.agent, input=door.saying, tools=tools)).status_code, 400)

    @case(f'{door.name}: a search of file_search is an item with its results, whole and in a stream')
    def _():
        tools = [{'type': 'file_search', 'vector_store_ids': [door.collection]}]
        # A demanded search: the scripted model calls it, the sandbox's searches by itself.
        asked = {'model': 'sandbox', 'input': 'How many days of annual leave?', 'tools': tools}
        if not door.is_sandbox:
            asked |= {'model': 'openai/test-model', 'tool_choice': {'type': 'file_search'}}
        asked |= {'include': ['file_search_call.results']}
        response = create(**asked)
        search = response.output[0]
        equal([search.type, search.status], ['file_search_call', 'completed'])
        if door.is_sandbox:
            # Other programs upload into the same collection.
            equal(search.results[0].filename, 'leave.md')
            [note] = response.output[-1].content[0].annotations
            equal([note.type, note.filename, note.file_id], ['file_citation', 'leave.md', search.results[0].file_id])
        kinds = [event.type for event in create(**asked, stream=True)]
        for kind in ('in_progress', 'searching', 'completed'):
            true(f'response.file_search_call.{kind}' in kinds, kinds)


def try_files(door):
    client = connect(door)

    @case(f'{door.name}: a file is created, read and deleted')
    def _():
        file = client.files.create(file=('note.txt', b'The moon is made of basalt.'), purpose='assistants')
        equal(client.files.retrieve(file.id).filename, 'note.txt')
        equal(client.files.content(file.id).text, 'The moon is made of basalt.')
        true(client.files.delete(file.id).deleted, 'not deleted')

    if not hasattr(client, 'vector_stores'):
        return

    @case(f'{door.name}: a vector store takes a file, and finds it by attribute')
    def _():
        store = client.vector_stores.create(name='Zebras')
        file = client.files.create(file=('zebra.txt', b'Zebras are striped animals.'), purpose='assistants')
        client.vector_stores.files.create_and_poll(file.id, vector_store_id=store.id, attributes={'region': 'eu'})
        for region, expected in (('eu', ['zebra.txt']), ('us', [])):
            chosen = {'type': 'eq', 'key': 'region', 'value': region}
            found = client.vector_stores.search(store.id, query='striped animals', filters=chosen)
            equal([result.filename for result in found], expected)
        client.vector_stores.delete(store.id)

    @case(f'{door.name}: a batch of files is polled to its end')
    def _():
        store = client.vector_stores.create(name='Fruit')
        files = [('a.txt', b'Apples are red.'), ('b.txt', b'Bananas are yellow.')]
        batch = client.vector_stores.file_batches.upload_and_poll(store.id, files=files)
        equal([batch.status, batch.file_counts.completed], ['completed', 2])
        client.vector_stores.delete(store.id)


def try_errors(door):
    client = connect(door)
    create = client.chat.completions.create

    @case(f'{door.name}: errors are typed, and have the id of their request')
    def _():
        wrong = OpenAI(base_url=OPENAI, api_key='sk_test_bad', max_retries=0)
        for kind, call in (
            (openai.NotFoundError, lambda: create(model='nope', messages=user('x'))),
            (openai.BadRequestError, lambda: create(model=door.model, messages=user('x'), n=2)),
            (openai.AuthenticationError, lambda: wrong.chat.completions.create(model=door.model, messages=user('x'))),
        ):
            error = raises(kind, call)
            true(error.message and error.request_id, error)

    @case(f'{door.name}: a stream that breaks raises')
    def _():
        prompt = 'sim:stream=5 sim:unavailable' if door.is_sandbox else 'Now break.'
        raises(openai.APIError, lambda: list(create(model=door.model, messages=user(prompt), stream=True)))


for door in doors:
    try_chat(door)
    if has_responses:
        try_responses(door)
    try_files(door)
    try_errors(door)

if not has_responses:
    print('left out: responses, conversations and vector stores; this version has none')


@case('live: texts are embedded')
def _():
    data = connect(live).embeddings.create(model='openai/test-embedding', input=['a', 'b']).data
    equal(len(data), 2)
    equal(len(data[0].embedding), len(data[1].embedding))


@case('sandbox: a stream outlives 17 seconds of silence')
def _():
    stream = connect(sandbox).chat.completions.create(
        model='sandbox', messages=user('sim:slow=17s ' + sandbox.saying), stream=True
    )
    equal(''.join(chunk.choices[0].delta.content or '' for chunk in stream if chunk.choices), WORDS)


finish()

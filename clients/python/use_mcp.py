"""The official Python SDK of MCP, 1.x and 2.x, at /mcp."""
import asyncio
import inspect
import json
from importlib.metadata import version

from mcp import ClientSession
from mcp.client import streamable_http

from cases import ORIGIN, WORDS, awaited, case, equal, finish, raises, sandbox, true

URL = ORIGIN + '/mcp'
# 1.x has both names, and 2.x only the newer one.
connect = getattr(streamable_http, 'streamable_http_client', None) or streamable_http.streamablehttp_client

print('mcp', version('mcp'))


def opened(headers):
    if 'headers' in inspect.signature(connect).parameters:
        return connect(URL, headers=headers)
    try:
        import httpx2 as httpx
    except ImportError:
        import httpx
    return connect(URL, http_client=httpx.AsyncClient(headers=headers, timeout=60, follow_redirects=True))


def within(work, headers=None):
    """Runs `work(session)` in a session that is initialized."""

    async def run():
        async with opened(headers or {'Authorization': 'Bearer ' + sandbox.key}) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                return await work(session)

    return awaited(run())


def is_error(result):
    return getattr(result, 'isError', None) or getattr(result, 'is_error', False)


def text(result):
    true(not is_error(result), result)
    return result.content[0].text


async def asking_tool(session):
    return next(tool.name for tool in (await session.list_tools()).tools if tool.name.startswith('ask_'))


@case('tools are listed, and a ping is answered')
def _():
    async def work(session):
        await session.send_ping()
        return {tool.name for tool in (await session.list_tools()).tools}

    true({'search', 'fetch', 'list_collections'} <= within(work), 'tools are missing')


@case('a search finds a document, and fetch reads it')
def _():
    async def work(session):
        found = json.loads(text(await session.call_tool('search', {'query': 'annual leave'})))
        return json.loads(text(await session.call_tool('fetch', {'id': found['results'][0]['id']})))

    true('27 days' in within(work)['text'], 'another text')


@case('an agent is asked')
def _():
    async def work(session):
        return text(await session.call_tool(await asking_tool(session), {'prompt': sandbox.saying}))

    true(WORDS in within(work), 'another answer')


@case('progress is reported while an agent works')
def _():
    seen = []

    async def progress(done, total, message):
        seen.append((done, total, message))

    async def work(session):
        prompt = 'sim:slow=2s sim:tool=search_knowledge({"query":"leave"}) How many days?'
        await session.call_tool(await asking_tool(session), {'prompt': prompt}, progress_callback=progress)

    within(work)
    true(len(seen) > 0, 'no progress')


@case('an answer outlives 17 seconds of silence')
def _():
    async def work(session):
        return text(await session.call_tool(await asking_tool(session), {'prompt': 'sim:slow=17s ' + sandbox.saying}))

    true(WORDS in within(work), 'another answer')


@case('a call that the client gives up leaves the session in order')
def _():
    async def work(session):
        try:
            await asyncio.wait_for(session.call_tool(await asking_tool(session), {'prompt': 'sim:slow=20s hi'}), 2)
        except (asyncio.TimeoutError, TimeoutError):
            return text(await session.call_tool('search', {'query': 'leave'}))
        raise AssertionError('the call answered')

    within(work)


@case('a failed run and wrong arguments are errors of the tool')
def _():
    async def work(session):
        failed = await session.call_tool(await asking_tool(session), {'prompt': 'sim:unavailable'})
        wrong = await session.call_tool('search', {'q': 1})
        return is_error(failed), is_error(wrong), bool(wrong.content[0].text)

    equal(within(work), (True, True, True))


@case('an unknown tool is an error')
def _():
    async def work(session):
        return is_error(await session.call_tool('nope', {}))

    try:
        true(within(work), 'no error')
    except BaseException as error:
        # A protocol error is raised from within the groups of the session.
        while hasattr(error, 'exceptions'):
            error = error.exceptions[0]
        true('McpError' in type(error).__name__ or 'MCPError' in type(error).__name__, error)


@case('resources and their templates are listed, and one is read')
def _():
    async def work(session):
        templates = await session.list_resource_templates()
        resources = (await session.list_resources()).resources
        return templates, (await session.read_resource(resources[0].uri)).contents[0].text

    true(within(work)[1], 'no text')


for title, headers in (('a wrong key', {'Authorization': 'Bearer sk_test_bad'}), ('no key', {'X-None': 'x'})):

    @case(f'{title} opens no session')
    def _():
        async def work(session):
            return await session.list_tools()

        raises(BaseException, lambda: within(work, headers))


finish()

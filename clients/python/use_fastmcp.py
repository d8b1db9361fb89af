"""FastMCP as a client at /mcp, and as a proxy before it."""
from importlib.metadata import version

from fastmcp import Client
from fastmcp.server import create_proxy

from cases import ORIGIN, WORDS, awaited, case, equal, finish, raises, sandbox, true

URL = ORIGIN + '/mcp'
print('fastmcp', version('fastmcp'))


def within(work, key=sandbox.key):
    async def run():
        async with Client(URL, auth=key) as client:
            return await work(client)

    return awaited(run())


async def asking_tool(client):
    return next(tool.name for tool in await client.list_tools() if tool.name.startswith('ask_'))


@case('a search comes as typed data')
def _():
    async def work(client):
        return (await client.call_tool('search', {'query': 'annual leave'})).data

    true(len(within(work).results) > 0, 'nothing was found')


@case('an agent is asked, with progress')
def _():
    seen = []

    async def progress(done, total, message):
        seen.append(message)

    async def work(client):
        prompt = 'sim:slow=1s sim:tool=search_knowledge({"query":"leave"}) Days?'
        await client.call_tool(await asking_tool(client), {'prompt': prompt}, progress_handler=progress)
        return await client.call_tool(await asking_tool(client), {'prompt': sandbox.saying})

    true(WORDS in str(within(work).content), 'another answer')
    true(len(seen) > 0, 'no progress')


@case('errors of a tool are raised')
def _():
    async def wrong(client):
        await client.call_tool('search', {})

    async def failed(client):
        await client.call_tool(await asking_tool(client), {'prompt': 'sim:unavailable'})

    for work in (wrong, failed):
        true(str(raises(Exception, lambda: within(work))), 'no message')


@case('a resource is read')
def _():
    async def work(client):
        return (await client.read_resource((await client.list_resources())[0].uri))[0].text

    true(within(work), 'no text')


@case('a wrong key opens no session')
def _():
    async def work(client):
        return await client.list_tools()

    raises(BaseException, lambda: within(work, 'sk_test_bad'))


@case('a proxy before Atrium lists the same tools, and calls them')
def _():
    async def work(client):
        return [tool.name for tool in await client.list_tools()]

    async def proxied():
        async with Client(create_proxy(Client(URL, auth=sandbox.key), name='before')) as client:
            return [tool.name for tool in await client.list_tools()], await client.call_tool('search', {'query': 'leave'})

    names, result = awaited(proxied())
    equal(names, within(work))
    true(len(result.content) > 0, 'nothing was found')


finish()

"""Seven steps with the Python client that openapi-generator makes of openapi.json."""
import openapi_client
from openapi_client import AgentInput, AgentsApi, ApiException, KnowledgeApi, RunInput, WebhookInput, WebhooksApi

from cases import API, WORDS, case, equal, finish, raises, sandbox, true


def connect(key):
    return openapi_client.ApiClient(openapi_client.Configuration(host=API, access_token=key))


client = connect(sandbox.key)
agents, knowledge, webhooks = AgentsApi(client), KnowledgeApi(client), WebhooksApi(client)
made = {}


@case('1 an agent is created')
def _():
    made['agent'] = agents.create_agent(AgentInput(name='Generated')).data.id


@case('2 the agent runs, and streams')
def _():
    run = agents.run_agent(made['agent'], RunInput(prompt=sandbox.saying)).data
    equal([run.status, run.output], ['succeeded', WORDS])
    stream = agents.run_agent_without_preload_content(
        made['agent'], RunInput(prompt=sandbox.saying), _headers={'Accept': 'text/event-stream'}
    )
    true(stream.headers['content-type'].startswith('text/event-stream'), 'no stream')
    true(b'run.succeeded' in stream.read(), 'the stream has no end')


@case('3 a file is uploaded')
def _():
    file = ('otters.txt', b'Otters hold hands.')
    equal(knowledge.upload_document(file=file, collection_id=sandbox.collection, prefer='wait=30').data.status, 'ready')


@case('4 a search finds it')
def _():
    true(len(knowledge.search_knowledge(query='otters').data) > 0, 'nothing was found')


@case('5 a list has pages')
def _():
    pages = [knowledge.list_documents(page=page, page_size=1) for page in (1, 2)]
    equal([page.meta.page for page in pages], [1, 2])
    true(pages[0].data[0].id != pages[1].data[0].id, 'the same document twice')


@case('6 errors are typed')
def _():
    refused = raises(ApiException, lambda: agents.create_agent(AgentInput.model_construct(name='')))
    equal([refused.status, refused.data.code, refused.data.errors[0].var_field], [400, 'validation_failed', 'name'])
    absent = raises(ApiException, lambda: agents.get_agent('agt_01m8h7fs88b10zxfysyhwme600'))
    equal([absent.status, absent.data.code], [404, 'not_found'])
    stranger = raises(ApiException, lambda: AgentsApi(connect('sk_test_bad')).list_agents())
    equal([stranger.status, stranger.data.code], [401, 'unauthenticated'])


@case('7 a webhook is created, listed and deleted')
def _():
    body = WebhookInput(url='https://example.com/hooks/generated', event_types=['run.succeeded'])
    created = webhooks.create_webhook(body).data
    true(created.secret.startswith('whsec_'), 'no secret')
    true(created.id in [webhook.id for webhook in webhooks.list_webhooks().data], 'not listed')
    equal(webhooks.delete_webhook_with_http_info(created.id).status_code, 204)
    equal(agents.delete_agent_with_http_info(made['agent']).status_code, 204)


finish()

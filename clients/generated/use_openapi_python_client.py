"""Seven steps with the client that openapi-python-client makes of openapi.json."""
import io

from atrium_api_client import AuthenticatedClient
from atrium_api_client import models
from atrium_api_client.api.agents import create_agent, delete_agent, get_agent, list_agents, run_agent
from atrium_api_client.api.knowledge import list_documents, search_knowledge, upload_document
from atrium_api_client.api.webhooks import create_webhook, delete_webhook, list_webhooks
from atrium_api_client.types import File

from cases import API, WORDS, case, equal, finish, sandbox, true

client = AuthenticatedClient(base_url=API, token=sandbox.key)
made = {}


@case('1 an agent is created')
def _():
    made['agent'] = create_agent.sync(client=client, body=models.AgentInput(name='Generated')).data.id


@case('2 the agent runs')
def _():
    run = run_agent.sync(made['agent'], client=client, body=models.RunInput(prompt=sandbox.saying)).data
    equal([run.status, run.output], ['succeeded', WORDS])


@case('3 a file is uploaded')
def _():
    file = File(payload=io.BytesIO(b'Otters hold hands.'), file_name='otters.txt', mime_type='text/plain')
    body = models.UploadDocumentForm(collection_id=sandbox.collection, file=file)
    equal(upload_document.sync(client=client, body=body, prefer='wait=30').data.status, 'ready')


@case('4 a search finds it')
def _():
    true(len(search_knowledge.sync(client=client, query='otters').data) > 0, 'nothing was found')


@case('5 a list has pages')
def _():
    pages = [list_documents.sync(client=client, page=page, page_size=1) for page in (1, 2)]
    equal([page.meta.page for page in pages], [1, 2])
    true(pages[0].data[0].id != pages[1].data[0].id, 'the same document twice')


@case('6 errors are typed')
def _():
    refused = create_agent.sync_detailed(client=client, body=models.AgentInput(name=''))
    equal([refused.status_code, refused.parsed.code, refused.parsed.errors[0].field], [400, 'validation_failed', 'name'])
    absent = get_agent.sync_detailed('agt_01m8h7fs88b10zxfysyhwme600', client=client)
    equal([absent.status_code, absent.parsed.code], [404, 'not_found'])
    stranger = list_agents.sync_detailed(client=AuthenticatedClient(base_url=API, token='sk_test_bad'))
    equal([stranger.status_code, stranger.parsed.code], [401, 'unauthenticated'])


@case('7 a webhook is created, listed and deleted')
def _():
    body = models.WebhookInput(url='https://example.com/hooks/generated', event_types=[models.WebhookInputEventTypesItem.RUN_SUCCEEDED])
    created = create_webhook.sync(client=client, body=body).data
    true(created.secret.startswith('whsec_'), 'no secret')
    true(created.id in [webhook.id for webhook in list_webhooks.sync(client=client).data], 'not listed')
    equal(delete_webhook.sync_detailed(created.id, client=client).status_code, 204)
    equal(delete_agent.sync_detailed(made['agent'], client=client).status_code, 204)


finish()

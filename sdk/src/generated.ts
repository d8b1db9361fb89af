/** Types of the API, generated from openapi.json by `npm run openapi`; not to be edited. */

export interface paths {
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Agents of the workspace in the key's environment.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Only `name` is required. An agent with only a name runs on the server's default model. It searches all knowledge that the key running it can access.
         *
         *     Needs the permission `agents:write`.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent
         * @description Returns the agent in its current state.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description You can no longer run or list the agent. Its runs stay readable by id, and runs in progress finish.
         *
         *     Needs the permission `agents:write`.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description Changes the fields that you send, creates a new revision, and publishes it unless `publish` is false. Changing only `status`, `access` or `teamIds` creates no revision. Lists of ids keep the ids that you cannot access: you neither see nor remove them, and publishing does not change them. Runs in progress continue with the revision that they started with.
         *
         *     Needs the permission `agents:write`.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/agents/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a revision
         * @description New runs use this revision: a draft, or an earlier revision to roll back to. The agent's fields still show the latest revision; to edit from another one, use PATCH with `fromRevision`. A narrowed key publishes a new revision with the same content, in which the currently published ids beyond the key's access stay.
         *
         *     Needs the permission `agents:write`.
         */
        post: operations["publishAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an agent's revisions
         * @description All revisions of the agent, newest first: who created each one, when, and which fields it changed.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listAgentRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/revisions/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent's revision
         * @description Returns the content of the revision and its changes from the revision before it.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["getAgentRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an agent
         * @description Answers 200 with the run once it has ended, whether `succeeded` or `failed`: check `status` and `error`. After 60 seconds, or after the `wait` of `Prefer`, it answers 202 with the run so far. `Prefer: respond-async` answers 202 at once, and the run continues in the background. With `Accept: text/event-stream` it answers 200 at once and streams the run like GET /runs/:id/events. The run continues if the client disconnects.
         *
         *     Needs the permission `agents:run`.
         */
        post: operations["runAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an agent's runs
         * @description All runs of the agent, newest first. `expand=steps,citations` adds their steps and citations.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agent templates
         * @description Ready-made agents. You can install each as often as you like and change it afterwards.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listAgentTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/catalog/{template}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Install an agent from a template
         * @description Creates an agent from a template. You can set its name, model and collections in the same request.
         *
         *     Needs the permission `agents:write`.
         */
        post: operations["installAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/last-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last run of each agent
         * @description One entry per agent, in the order and pages of GET /agents: the agent's newest run that the caller may read, or null.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listLastRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tools
         * @description Tools that you can name in an agent's `tools`, with the schemas of their input and output: the server's own tools first, then those of the integrations that can be connected.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listAgentTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description All keys of the workspace, including revoked ones, without their secrets. A test key sees test keys.
         *
         *     Needs the permission `keys:read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates a key that acts for the person behind the calling key, or for a service account (`memberId`), with at most the permissions and narrowing of the calling key. A key made by a key cannot outlive it or work from more addresses: `expiresAt` and `allowedAddresses` are inherited if you leave them out, and a wider value is a 400. The reply has the whole key, which is never shown again.
         *
         *     Needs the permission `keys:write`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Returns one key without its secret.
         *
         *     Needs the permission `keys:read`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Changes the name, narrowing or expiry of a key, within 10 seconds on every server. A key that may do more than the calling key cannot be changed with it (`permission_missing`).
         *
         *     Needs the permission `keys:write`.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description Permanently ends a key, within 10 seconds on every server. A second call changes nothing.
         *
         *     Needs the permission `keys:write`.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Creates a new secret for the same key and shows it once. The old secret works until the end of the overlap that you choose. A key that may do more than the calling key, lives longer or works from more addresses cannot be rotated with it (`permission_missing`).
         *
         *     Needs the permission `keys:write`.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description All changes in the workspace, newest first: who made each one, with which key, and from where. It includes what members do with their accounts: `account.sign_in`, `account.sign_in_refused`, `account.second_factor_on`, `account.second_factor_off`, `account.recovery_codes`, `account.password_change`, `account.password_reset` and `account.set_up`. A refused sign-in names the account in `resourceId`, because the person is not proven. A test key sees the changes in the sandbox. A narrowed key sees changes to the workspace and to resources that it can access. One entry stands for all files of one upload; to list the entries of single files, filter by `action`, `resourceId` or `requestId`.
         *
         *     Needs the permission `audit:read`.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List callback deliveries
         * @description Deliveries to the `callbackUrl` of runs, sent and pending, newest first, of events that the key may read. A narrowed key sees only those of runs with its own narrowing. They are kept as long as those of endpoints.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listCallbackDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a callback delivery
         * @description Returns one delivery: its content as the key may read it, and each attempt with request, response and duration. 404 if the key may not read its event.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getCallbackDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call back again
         * @description Sends the event of a delivery to the same URL again, whatever its result, as a new delivery with the same `webhook-id`.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["redeliverCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the callback secret
         * @description Tells whether the key's environment has a secret for callbacks, without the secret.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getCallbackSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make or rotate the callback secret
         * @description Creates the secret that signs the callbacks of all runs in the key's environment, and shows it once. During the overlap, callbacks carry a signature for each secret, so the receiver can switch at any time. A narrowed key cannot do this.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["rotateCallbackSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Conversations with the agents that the key can access, newest first.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a conversation
         * @description Returns one conversation with the summary of its earlier turns.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation
         * @description Permanently erases the conversation: its runs with their steps and events, what its agent said to other agents, and stored replies to repeated requests. Conversations that branched from it stay, but no longer remember it. While one of its runs is in progress, this is a 409: cancel that run first.
         *
         *     Needs the permission `agents:run`.
         */
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        /**
         * Rename a conversation
         * @description Renames the conversation.
         *
         *     Needs the permission `agents:run`.
         */
        patch: operations["updateConversation"];
        trace?: never;
    };
    "/conversations/{id}/branch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Branch a conversation
         * @description Creates a conversation that remembers this one up to and including one of its runs, and continues independently. This conversation stays unchanged.
         *
         *     Needs the permission `agents:run`.
         */
        post: operations["branchConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a conversation's runs
         * @description Runs of the conversation, newest first. `expand=steps,citations` adds their steps and citations. Runs that it remembers from the conversation it branched from are listed there.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listConversationRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Events in the key's environment, newest first. An event is written in the same transaction as the change that it describes, and is listed in the shape in which webhooks deliver it. Events are kept for 30 days unless the operator sets another time.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description Returns one event while it is kept.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connected integrations
         * @description Connections of the workspace, newest first. Secrets are never returned.
         *
         *     Needs the permission `integrations:read`.
         */
        get: operations["listIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a connected integration
         * @description Returns one connection with its status and last error.
         *
         *     Needs the permission `integrations:read`.
         */
        get: operations["getIntegration"];
        put?: never;
        post?: never;
        /**
         * Disconnect an integration
         * @description Deletes the connection, erases its secrets and stops a sync in progress. Then it asks the service to revoke the grant, once and without waiting for success. The synced documents stay unless `documents=trash` moves them to the trash in the background, which also needs `knowledge:write`.
         *
         *     Needs the permission `integrations:write`.
         */
        delete: operations["disconnectIntegration"];
        options?: never;
        head?: never;
        /**
         * Change a connected integration
         * @description Changes the name, the config, or the sync: its collection and interval. Fields that you leave out stay unchanged. `sync` also needs `knowledge:write`, and scheduled syncs act for the member who set them. A config that would send the stored credentials to another address is refused: create a new connection for that.
         *
         *     Needs the permission `integrations:write`.
         */
        patch: operations["updateIntegration"];
        trace?: never;
    };
    "/integrations/{id}/reconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reconnect an integration
         * @description Reopens a connection and keeps its id, name and sync. Send new `credentials`, which are tested first, or authorize as when connecting. A connection that is `active` or `needs_reauth` keeps its old credentials until the new ones work. With a test key it is simulated.
         *
         *     Needs the permission `integrations:write`.
         */
        post: operations["reconnectIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Synchronize a connected integration
         * @description Updates the connection's collection from the service: new and changed items become documents, and documents of removed items go to the trash. The first sync creates a collection named after the connection unless one is set. Also needs `knowledge:write`. Answers 202 at once. `Prefer: wait=N` waits up to N seconds (at most 60) and answers 200 once the sync has ended, whether `succeeded` or `failed`, and its documents are processed or the time is over. A connection has one sync at a time. If too many documents would go to the trash, the sync ends `failed` with `delete_guard` and their number. List them as its items with `status=gone`; to continue, send the number as `confirmDeletes`. With a test key no service is called: three simulated documents are synced.
         *
         *     Needs the permission `integrations:write`.
         */
        post: operations["startConnectionSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/syncs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the syncs of a connection
         * @description Syncs of the connection with their counts, newest first. They are kept for 30 days.
         *
         *     Needs the permission `integrations:read`.
         */
        get: operations["listConnectionSyncs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/syncs/{syncId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a sync of a connection
         * @description Returns one sync. While it is in progress, its counts show how far it is. `Prefer: wait=N` waits up to N seconds (at most 60) until it has ended and its new and changed documents are `ready` or `failed`.
         *
         *     Needs the permission `integrations:read`.
         */
        get: operations["getConnectionSync"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/syncs/{syncId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a sync of a connection
         * @description Stops the sync. Documents that it wrote stay, and the next sync continues from there. A sync that has already ended is returned unchanged.
         *
         *     Needs the permission `integrations:write`.
         */
        post: operations["cancelConnectionSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/syncs/{syncId}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the items of a sync
         * @description Items that the sync fetched or failed to fetch, by id in descending order. Each item belongs to the last sync that tried it. `status=failed` shows the errors. `status=gone` instead lists items that the service no longer has and whose documents still exist now: those that a sync which ended with `delete_guard` would have removed.
         *
         *     Needs the permission `integrations:read`.
         */
        get: operations["listConnectionSyncItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a connected integration
         * @description Calls the service with the stored credentials, and refreshes them if needed. Answers 200 whether or not the service accepts them: see `ok`. If the service refuses the credentials, the connection becomes `needs_reauth`. In the sandbox nothing is called and the test succeeds.
         *
         *     Needs the permission `integrations:write`.
         */
        post: operations["testIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List available integrations
         * @description All services that can be connected, by name, with what a connection to each one requires.
         *
         *     Needs the permission `integrations:read`.
         */
        get: operations["listIntegrationCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect an integration
         * @description For OAuth the reply has an `authorizationUrl` and a `connectUrl`: send a person to one of them within ten minutes, and the connection becomes `active` or `failed`. With `flow: device` it has a `userCode` to enter at `verificationUrl`. An API key, or a user name and password, is tested with a call to the service first; if the service refuses it, nothing is stored. With a test key no service is called: the connection is simulated and immediately active, except that the API keys `sim:rejected` and `sim:unreachable` force these failures.
         *
         *     Needs the permission `integrations:write`.
         */
        post: operations["connectIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/citations/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify citations
         * @description Checks for each quote, in order, whether it appears in the document word for word. Letters, case and punctuation must match; any run of white space counts as one space. A quote without offsets, or one that is not at its offsets, is searched for in the whole text. The texts searched in full may have 100,000,000 characters in total. Changes nothing.
         *
         *     Needs the permission `knowledge:read`.
         */
        post: operations["verifyCitations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List collections
         * @description Knowledge collections that the key can access, newest first.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["listCollections"];
        put?: never;
        /**
         * Create a collection
         * @description A collection holds documents that belong together. Agents and keys can be narrowed to collections. With `access: teams` only some teams can access it: members can choose their own teams, and callers with `teams:write` any team.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["createCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/collections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a collection
         * @description Returns one collection with its counts.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["getCollection"];
        put?: never;
        post?: never;
        /**
         * Delete a collection
         * @description Deletes the collection with all its documents. As soon as the request succeeds, search finds nothing in it. It stays in the trash for 30 days (`ATRIUM_TRASH_DAYS`) and can be restored. With `erase=true` it is permanently erased in the background instead.
         *
         *     Needs the permission `knowledge:write`.
         */
        delete: operations["deleteCollection"];
        options?: never;
        head?: never;
        /**
         * Change a collection
         * @description Changes the name, the description, or who can access the collection, which also needs `teams:write`. Its documents stay unchanged. Members who lose access no longer find it from the next request, on other servers within ten seconds.
         *
         *     Needs the permission `knowledge:write`.
         */
        patch: operations["updateCollection"];
        trace?: never;
    };
    "/knowledge/collections/{id}/documents/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a document by its external id
         * @description Returns one document with its status. `Prefer: wait=N` waits up to N seconds until it is `ready` or `failed`.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["getDocumentByExternalId"];
        /**
         * Create or update a document by its external id
         * @description Creates or updates the document with this external id, from a file as multipart/form-data or from a text as JSON. If the content is new, the document is created (201). If the content is unchanged (by SHA-256), no version is created (200), but the title, metadata and file name that you send are applied. If the content has changed, a new version is created (200). Search keeps returning the old version until the new one is `ready`.
         *
         *     Needs the permission `knowledge:write`.
         */
        put: operations["putDocument"];
        post?: never;
        /**
         * Delete a document by its external id
         * @description Works like deletion by id: moves the document to the trash, where it can be restored, or permanently erases it with `erase=true`.
         *
         *     Needs the permission `knowledge:write`.
         */
        delete: operations["deleteDocumentByExternalId"];
        options?: never;
        head?: never;
        /**
         * Change a document's title or metadata by its external id
         * @description Works like a change by id: the title, metadata or external id at once, without a new version. Search finds a new title a moment later.
         *
         *     Needs the permission `knowledge:write`.
         */
        patch: operations["updateDocumentByExternalId"];
        trace?: never;
    };
    "/knowledge/collections/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a collection
         * @description Returns one archive (`.tar.gz`) with all documents: versions, metadata, text, vectors and original files. `POST /knowledge/imports` creates a collection with the same search results from it, on this server or another. Documents in the trash are not included. A truncated archive has no end marker, so the import refuses it.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["exportCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/collections/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a collection from the trash
         * @description Restores the collection with all its documents. Search finds them again as soon as the request succeeds.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["restoreCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/collections/{id}/syncs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sync sessions
         * @description Sessions of a collection with their counts, newest first. They are kept for 30 days.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["listSyncs"];
        put?: never;
        /**
         * Open a sync session
         * @description Compares the collection with a manifest of your source: external ids with the hashes of their files. Returns which documents to upload (`PUT /knowledge/collections/:id/documents/:externalId`) and which are unchanged. Send a longer manifest in pages of up to 10,000 entries. Nothing is deleted until you complete the session, and documents without an external id are never changed. A collection has one open session at a time; `ifOpen` says what becomes of another. With `dryRun=true` the entries count as the whole manifest: the reply has the plan with the documents that would be deleted, and no session is opened.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["openSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents
         * @description Documents that the key can access, newest first.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Upload a document
         * @description Sends one file as multipart/form-data, or a text as JSON. The request succeeds once the file is safely stored. The server then reads and indexes it; search finds the document once its status is `ready`. `Prefer: wait=N` waits up to N seconds for that.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a document
         * @description Returns one document with its status. `Prefer: wait=N` waits up to N seconds until it is `ready` or `failed`.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Delete a document
         * @description As soon as the request succeeds, the document is neither listed nor found. It stays in the trash for 30 days (`ATRIUM_TRASH_DAYS`) and can be restored. With `erase=true` it is permanently erased in the background instead.
         *
         *     Needs the permission `knowledge:write`.
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        /**
         * Change a document's title or metadata
         * @description Changes the title, metadata or external id at once, without a new version. Search finds a new title a moment later.
         *
         *     Needs the permission `knowledge:write`.
         */
        patch: operations["updateDocument"];
        trace?: never;
    };
    "/knowledge/documents/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document's text
         * @description Returns the extracted text. Offsets are in Unicode code points, as in search results and citations. At most 100,000 code points per request.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["getDocumentContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/{id}/original": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the original file
         * @description Returns the uploaded file, byte for byte. `Range` asks for one part of it, for example to continue a download; with `If-Range`, the part comes only if the file is still the same, otherwise the whole file. Several ranges in one request get the whole file.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["getDocumentOriginal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/{id}/reprocess": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a document again
         * @description Creates a new version by reading the same file again, for example after an upgrade or after enabling text recognition. Search keeps returning the current version until the new one is `ready`. 409 while a version is being processed. `Prefer: wait=N` waits up to N seconds until it is `ready` or `failed`.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["reprocessDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a document from the trash
         * @description The document is listed at once, and found as soon as its status is `ready`. `Prefer: wait=N` waits for that. 409 if another document of the collection now has its external id.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["restoreDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a failed document again
         * @description Reads and indexes the stored file of a `failed` document again. A document in any other status is a 409. `Prefer: wait=N` waits up to N seconds until it is `ready` or `failed`.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["retryDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a document's versions
         * @description The latest version and the versions served before it, newest first. If there are more than `ATRIUM_DOCUMENT_VERSIONS`, the oldest are removed.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["listDocumentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of a document's versions
         * @description Returns one version. To read its text and file, use `content` and `original` with `version`.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["getDocumentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/{id}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring an earlier version back
         * @description Creates a new version with the content of an earlier one (201). Search keeps returning the current version until the new one is `ready`. If the current version has the same content, nothing changes (200). `Prefer: wait=N` waits up to N seconds until it is `ready` or `failed`.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["restoreDocumentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload many documents
         * @description Sends up to 200 files as parts named `file`, or a zip with up to 2,000 files. The reply has a result for each file; a rejected file does not affect the others. Each file's path becomes its external id unless `externalIds=none`, so sending the same files again changes nothing. The server reads and indexes the files after the reply. Each file may be as large as the plan's upload limit, and all files together four times that. Limits apply to the unpacked files of a zip. Nested zips are not unpacked, links are not followed, and folders and system files are skipped.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["uploadDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/from-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a document by its URL
         * @description The server fetches the file within two minutes (`ATRIUM_URL_TIMEOUT_SECONDS`), up to the plan's upload limit, and processes it like an upload: 201 with the new document. If a document has the `externalId` that you send, it is updated (200), with a new version if the content has changed. Addresses inside the server's network are refused, including after redirects.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["uploadDocumentFromUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/documents/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try all failed documents again
         * @description Retries every `failed` document that the key can access, or those of one collection or with certain error codes, in the background. Documents that fail later are not included. `dryRun` returns how many documents would be retried.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["retryDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a collection
         * @description Creates a collection from an archive, sent as multipart/form-data. The collection appears only when it is complete, and a failed import leaves nothing. Documents get new ids and keep their external ids. `Prefer: wait=N` waits up to N seconds for the end.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["importCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an import
         * @description Returns the progress and result of the import. `Prefer: wait=N` waits up to N seconds for its end.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the knowledge base
         * @description Ranks the chunks of all documents that the key can access, best first. By default one document contributes at most three chunks; `perDocument` changes that. Adjacent chunks form one result. A document is found as soon as it is `ready`. The list has at most 1,000 results, and `meta.total` is its exact length.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["searchKnowledge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/syncs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a sync session
         * @description Returns one session. While it is open, its counts show the progress of the uploads.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["getSync"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/syncs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a sync session
         * @description Ends an open session without deleting anything. Uploaded documents stay.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["cancelSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/syncs/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sync session
         * @description Moves the documents that are not in the manifest to the trash. If there are more than two and more than the share that the session allows (20 % by default), this is a 409 `delete_guard` with their number: send it as `confirmDeletes` to confirm. Answers 200 once they are deleted, or 202 if that takes longer than 10 seconds or than `Prefer: wait=N`; `respond-async` always gets 202. `dryRun=true` returns what would be deleted.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["completeSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/syncs/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a page of the manifest
         * @description Adds up to 10,000 entries to the manifest of an open session and returns which of them to upload. An external id that the manifest already contains is a 400 that names both positions.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["addSyncEntries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/syncs/{id}/missing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was not uploaded
         * @description Entries that the session asked for and whose documents have not been uploaded: up to now, or for an ended session up to its end.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["listMissingSyncEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents in the trash
         * @description Deleted documents that can still be restored, newest first. Documents of a deleted collection are not listed: restore the collection.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["listTrash"];
        put?: never;
        post?: never;
        /**
         * Empty the trash
         * @description As soon as the request succeeds, nothing in the trash can be restored. Everything in it is permanently erased in the background.
         *
         *     Needs the permission `knowledge:write`.
         */
        delete: operations["emptyTrash"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/trash/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the collections in the trash
         * @description Deleted collections that can still be restored with all their documents, newest first.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["listTrashedCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List resumable uploads
         * @description Uploads in progress and those of the last day, newest first.
         *
         *     Needs the permission `knowledge:write`.
         */
        get: operations["listUploads"];
        put?: never;
        /**
         * Begin a resumable upload
         * @description For large files or unreliable connections. Any tus client, such as tus-js-client, sends the file in pieces and resumes after an interruption. After the last byte the file becomes a document, like any other upload. An upload that receives nothing for a day expires.
         *
         *     Needs the permission `knowledge:write`.
         */
        post: operations["createUpload"];
        delete?: never;
        /**
         * What resumable uploads can do
         * @description The version and extensions of the tus protocol and the largest file size, also as headers.
         *
         *     Needs the permission `knowledge:write`.
         */
        options: operations["getUploadCapabilities"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a resumable upload
         * @description Returns the progress of the upload. `HEAD` returns only the headers: `Upload-Offset`, `Upload-Length`, `Upload-Metadata`, `Upload-Expires`, and `Atrium-Document-Id` once it is a document.
         *
         *     Needs the permission `knowledge:write`.
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        /**
         * Give up a resumable upload
         * @description Deletes the upload and the bytes received. A document created from it stays.
         *
         *     Needs the permission `knowledge:write`.
         */
        delete: operations["deleteUpload"];
        options?: never;
        head?: never;
        /**
         * Send bytes of a resumable upload
         * @description Sends bytes starting at `Upload-Offset`, which must equal the upload's current offset (else 409). The reply to the last bytes comes once the document is created, and names it in `Location` and `Atrium-Document-Id`. A rejected file gets the same error code as in a normal upload. Bytes received before an interruption are kept.
         *
         *     Needs the permission `knowledge:write`.
         */
        patch: operations["appendToUpload"];
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller
         * @description Returns who the key or person is and what it may do now. Any valid key may call it, so it is a good first request.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/model-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List model providers
         * @description The workspace's own model providers, newest first, without the operator's. Keys are never returned. Needs a live key.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listModelProviders"];
        put?: never;
        /**
         * Add a model provider
         * @description The provider's models are then named `<name>/<model>` in this workspace. This makes no call to the provider: POST /model-providers/:id/test does. Test keys have no providers, because the sandbox calls no outside service. A workspace can have 20.
         *
         *     Needs the permission `agents:write`.
         */
        post: operations["createModelProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/model-providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model provider
         * @description Returns one provider without its key. Needs a live key.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["getModelProvider"];
        put?: never;
        post?: never;
        /**
         * Delete a model provider
         * @description Erases the provider and its key. Agents that use one of its models then fail with `model_not_configured`, or use their fallback. Needs a live key.
         *
         *     Needs the permission `agents:write`.
         */
        delete: operations["deleteModelProvider"];
        options?: never;
        head?: never;
        /**
         * Change a model provider
         * @description Changes the fields that you send; `models` replaces the whole list. If you change `baseUrl`, send the key again. Agents refer to models by the provider's name, so after a rename you must update the agents too. Calls in progress continue unchanged. Needs a live key.
         *
         *     Needs the permission `agents:write`.
         */
        patch: operations["updateModelProvider"];
        trace?: never;
    };
    "/model-providers/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a model provider
         * @description Calls one model once with a short prompt, within 30 seconds. Answers 200 whether or not the model answered: see `ok`. `error` has one of the error codes of runs. Needs a live key.
         *
         *     Needs the permission `agents:write`.
         */
        post: operations["testModelProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description Models with their purposes, context windows and prices: first the operator's models for agents and for search, then those of the workspace's own providers. Other models of a configured provider work too, but their cost is unknown. Models of an OpenAI-compatible server come from the server's own list.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth-clients/{integrationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OAuth client of an integration
         * @description Returns which OAuth client is in use, the workspace's or the server's, and the redirect URL to register with the service. The secret is never returned.
         *
         *     Needs the permission `integrations:read`.
         */
        get: operations["getOAuthClient"];
        /**
         * Set the OAuth client of an integration
         * @description Sets the workspace's own client, which replaces the server's. Connections made with another client keep working until their tokens expire; then reconnect them.
         *
         *     Needs the permission `integrations:write`.
         */
        put: operations["putOAuthClient"];
        post?: never;
        /**
         * Delete a workspace's OAuth client
         * @description New connections then use the server's client, if there is one. Connections made with the deleted client work until their tokens expire.
         *
         *     Needs the permission `integrations:write`.
         */
        delete: operations["deleteOAuthClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI document
         * @description Returns this document, which is generated from the routes that serve the API. Needs no key.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run
         * @description Returns one run with its steps. `Prefer: wait=N` waits up to N seconds (at most 60) for the run to end.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or reject tool calls
         * @description Approves or rejects some or all of the tool calls in the `pendingApprovals` of a `waiting` run. Once nothing is missing, the run continues in the background and this answers 202. With `Prefer: wait=N` it answers 200 if the run ends in time. A call that is unknown or already decided is a 400 that names it. A run that has ended or does not wait is a 409 `run_ended`.
         *
         *     Needs the permission `agents:run`.
         */
        post: operations["decideRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Answers 200 once the run has stopped and its model call is aborted. The run keeps the usage up to that point. A run that has already ended is returned unchanged. 202 means that the run has not stopped yet.
         *
         *     Needs the permission `agents:run`.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two runs
         * @description Compares this run with another run of the same agent: their inputs, revisions and outcomes, and the difference in time, tokens and cost.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["compareRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a run
         * @description Streams the run as server-sent events from its beginning, also if it has ended. After a disconnect, `Last-Event-ID` resumes right after the last event received: in the middle of an answer too, and after a server restart. The stream ends with `run.succeeded`, `run.failed` or `run.cancelled`, which contain the whole run, or with `run.waiting`. 204 means that no more events will come.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["streamRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give feedback on a run
         * @description Rates the answer of an ended run as `positive` or `negative`, with an optional comment. New feedback replaces earlier feedback. The run shows it.
         *
         *     Needs the permission `agents:run`.
         */
        post: operations["giveRunFeedback"];
        /**
         * Take feedback back
         * @description Removes the feedback from the run. Succeeds if there is none.
         *
         *     Needs the permission `agents:run`.
         */
        delete: operations["deleteRunFeedback"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a run again
         * @description Starts a new run with the same inputs, on the agent's published revision or another one. The new run remembers what the first run remembered, in a new conversation, and names the first run in `rerunOf`. It answers like POST /agents/:id/run: after waiting, in the background, or as a stream.
         *
         *     Needs the permission `agents:run`.
         */
        post: operations["rerunRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/tool-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send results of functions
         * @description Sends results for some or all of the calls in the `pendingToolCalls` of a `waiting` run. Once nothing is missing, the run continues in the background and this answers 202. With `Prefer: wait=N` it answers 200 if the run ends in time. The same result may be sent again; another result for an answered call, and an unknown call, are a 400 that names it. A new result for a run that has ended is a 409 `run_ended`.
         *
         *     Needs the permission `agents:run`.
         */
        post: operations["sendToolResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get limits and usage
         * @description Returns the limits of the workspace's plan, each with its usage in the key's environment. A narrowed key gets no figures about resources that it cannot access. Requests over a limit are answered with 429 `rate_limited` or `run_limit`, 403 `storage_limit`, `member_limit` or `budget_exceeded`, or 413.
         *
         *     Needs the permission `usage:read`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List usage over time
         * @description Returns usage in the key's environment by day or month, in total or by key, agent or collection, newest period first. Days are in UTC. Periods without usage have no row. A run counts once, on the day when it ends. Requests and storage are at most a minute behind. A narrowed key sees the agents and collections that it can access and its own requests. A key narrowed to collections also sees only its own runs, and none by agent.
         *
         *     Needs the permission `usage:read`.
         */
        get: operations["getUsageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Webhook endpoints of the key's environment, without their secrets. A narrowed key sees only endpoints with its own narrowing.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listWebhooks"];
        /**
         * Create or change a webhook endpoint by its URL
         * @description For programs that make sure of their endpoint at each start. Creates the endpoint with this URL (201, with its secret), or changes the fields of it that you send (200, without its secret, which stays). A disabled endpoint stays disabled unless you send `enabled`. A narrowed key has endpoints of its own: it neither finds nor changes others' endpoints of the same URL.
         *
         *     Needs the permission `webhooks:write`.
         */
        put: operations["putWebhook"];
        /**
         * Create a webhook endpoint
         * @description From now on, events of the key's environment are sent to the endpoint, signed according to Standard Webhooks. The reply contains the secret, which is never shown again. An endpoint receives only events that the key may read. At most 50 per environment, one for each URL; PUT /webhooks also takes a URL that has one.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description Returns one endpoint without its secret.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Stops all deliveries to the endpoint and erases its secret and its deliveries.
         *
         *     Needs the permission `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes the fields that you send. `enabled` enables a disabled endpoint again: pending events are sent, and you can replay events from the time when it was disabled. A key cannot change an endpoint that receives events which the key may not read.
         *
         *     Needs the permission `webhooks:write`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an endpoint's deliveries
         * @description Deliveries to the endpoint, sent and pending, newest first, of events that the key may read. Deliveries are kept for 30 days unless the operator sets another time.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description Returns one delivery: its content, and each attempt with request, response and duration. 404 if the key may not read its event.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event again
         * @description Sends the event of a delivery again, whatever its result, as a new delivery with the same `webhook-id`.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["redeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a range of time
         * @description Sends stored events of a time range again that match the endpoint's event types, oldest first, whether or not they were delivered. At most 100,000 at once. Each keeps its `webhook-id`, so the receiver can recognise events that it already has. `dryRun=true` returns how many events would be sent. The key must be allowed to read all event types of the endpoint.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an endpoint's secret
         * @description Creates a new secret and shows it once. During the overlap, deliveries carry a signature for each secret, so the receiver can switch at any time. A third secret ends the first at once.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description Sends a signed `webhook.test` event to this endpoint, whatever its event types. It is sent once and immediately, even while deliveries pause after failures. Answers 200 with the result: `status` is `delivered` or `failed`, and `attempts` has the endpoint's response or the error. Answers 202 if there is no result within 20 seconds or the `wait` of `Prefer`.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the workspace
         * @description Returns the key's workspace with its plan. Any valid key may call it.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        /**
         * Delete the workspace
         * @description For owners. From now on every key, token and run of the workspace is refused with `workspace_deleted`. Until `deletesAt` an owner can restore the workspace in the console; then everything in it is erased. Export what you want to keep first: `POST /knowledge/collections/{id}/export`. The body repeats the slug as `confirm`; `dryRun=true` needs no body and returns what would be deleted. Needs a live key that is not narrowed.
         *
         *     Needs the permission `workspace:write`.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /**
         * Change the workspace
         * @description Changes the name, or the monthly budget for runs, which applies from the next model call. The slug does not change. For owners and admins. Needs a live key.
         *
         *     Needs the permission `workspace:write`.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/workspace/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Invitations in every status. A test key sees invitations made by test keys, a live key the real ones.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["listInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invitation
         * @description Returns one invitation with the delivery status of its mail. The link is not shown again; to get a new one, resend the invitation.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invitation again
         * @description Creates a new link, valid for seven days from now, and ends the old one. Needs the same permissions as creating the invitation. Works for pending and expired invitations; an answered or revoked one is a 409.
         *
         *     Needs the permission `members:write`.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/invitations/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an invitation
         * @description Ends the link of a pending invitation. An invitation in any other status is a 409.
         *
         *     Needs the permission `members:write`.
         */
        post: operations["revokeInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation for the invited person
         * @description For applications with their own page for new members; otherwise people accept at the link itself, which needs no key. The key belongs to the inviting workspace, and the token from the link shows that the invited person agreed. Works once. An invitation made by a test key is only marked as accepted.
         *
         *     Needs the permission `members:write`.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave the workspace
         * @description For people, with a token of the console. Your keys in the workspace and the pending invitations that you made are revoked at once, and your webhooks are disabled; `dryRun=true` lists them first. The last owner cannot leave (`last_owner`): transfer the workspace first, or delete it. Needs the live environment.
         */
        post: operations["leaveWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description People and service accounts of the workspace. Test keys see the same members as live keys.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Create a service account
         * @description A member that is not a person, for keys that must outlive the people who create them: pass its id as `memberId` to `POST /api-keys`. It cannot sign in or be an owner, and it counts towards the plan's members. It cannot have a permission that the caller lacks (`permission_missing`). To invite a person, use `POST /workspace/members/invite`. Needs a live key.
         *
         *     Needs the permission `members:write`.
         */
        post: operations["createServiceAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a member
         * @description Returns one member by the id of the membership (`mem_…`).
         *
         *     Needs the permission `members:read`.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description The member loses access. Within seconds every key and pending invitation that the member made is revoked, and their webhooks are disabled, with a notice to owners and admins. `dryRun=true` lists them first. The last owner cannot be removed (`last_owner`). Needs a live key that is not narrowed.
         *
         *     Needs the permission `members:write`.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Keys of the member follow the new role within seconds, and webhooks that the member made are disabled if the role cannot manage webhooks. A caller cannot change or give a role above its own, or give a permission that it lacks (`permission_missing`). Only a person can make someone an owner, in the console. The last owner cannot be demoted (`last_owner`). Needs a live key.
         *
         *     Needs the permission `members:write`.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/workspace/members/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a new member
         * @description Mails a link that works once, for seven days. If the operator has configured no mail server, the reply has the link as `acceptUrl`, only this once. An address that is already a member or has a pending invitation is a 409. Members and pending invitations together count towards the plan (`member_limit`). A key can invite only to roles without permissions that it lacks, and to teams only with `teams:write` (`permission_missing`). Only a person can invite an owner, in the console. Invitations by a test key are simulated: no mail is sent, and accepting one creates no member.
         *
         *     Needs the permission `members:write`.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams
         * @description Teams of the workspace. Test keys see the same teams as live keys.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["listTeams"];
        put?: never;
        /**
         * Create a team
         * @description Creates a team without members. Its name is unique in the workspace. Needs a live key.
         *
         *     Needs the permission `teams:write`.
         */
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/teams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a team
         * @description Returns one team with the number of its members and of the resources limited to it.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        /**
         * Delete a team
         * @description Its members stay members of the workspace. Only owners and admins can then access resources that were limited to this team alone. Needs a live key.
         *
         *     Needs the permission `teams:write`.
         */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        /**
         * Rename or describe a team
         * @description Changes the fields that you send. Needs a live key.
         *
         *     Needs the permission `teams:write`.
         */
        patch: operations["updateTeam"];
        trace?: never;
    };
    "/workspace/teams/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a team
         * @description The same as listing members with `teamId`, but 404 if the team does not exist.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["listTeamMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/teams/{id}/members/{memberId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a member to a team
         * @description Changes nothing if the member is already in the team. A key narrowed to agents or collections cannot do this, because a team may have access to others (`permission_missing`). `If-Match` takes the member's ETag. Needs a live key.
         *
         *     Needs the permission `teams:write`.
         */
        put: operations["addTeamMember"];
        post?: never;
        /**
         * Take a member out of a team
         * @description The member stays a member of the workspace. `If-Match` takes the member's ETag. Needs a live key.
         *
         *     Needs the permission `teams:write`.
         */
        delete: operations["removeTeamMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand the workspace over
         * @description For owners, with a token of the console: a key cannot transfer the workspace (`permission_missing`). In one step the member becomes an owner and you become an admin. Pending invitations for owners that you made are revoked. Returns the new owner. Needs the live environment.
         *
         *     Needs the permission `members:write`.
         */
        post: operations["transferWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "collection.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event collection.deleted
         * @description A collection was deleted with its documents. The body is the event as GET /events lists it.
         */
        post: operations["receiveCollectionDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event connection.active
         * @description A connection works. The body is the event as GET /events lists it.
         */
        post: operations["receiveConnectionActive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event connection.deleted
         * @description A connection was deleted. The body is the event as GET /events lists it.
         */
        post: operations["receiveConnectionDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event connection.failed
         * @description A connection was not authorized. The body is the event as GET /events lists it.
         */
        post: operations["receiveConnectionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.needs_reauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event connection.needs_reauth
         * @description The service of a connection refuses its credentials. The body is the event as GET /events lists it.
         */
        post: operations["receiveConnectionNeedsReauth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.sync_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event connection.sync_failed
         * @description A sync of a connection has failed. The body is the event as GET /events lists it.
         */
        post: operations["receiveConnectionSyncFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.sync_succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event connection.sync_succeeded
         * @description A sync of a connection has ended. The body is the event as GET /events lists it.
         */
        post: operations["receiveConnectionSyncSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event document.deleted
         * @description A document was moved to the trash or erased. The body is the event as GET /events lists it.
         */
        post: operations["receiveDocumentDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event document.failed
         * @description A version of a document cannot be read. The body is the event as GET /events lists it.
         */
        post: operations["receiveDocumentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event document.ready
         * @description A version of a document can be found, also after a restore. The body is the event as GET /events lists it.
         */
        post: operations["receiveDocumentReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event key.created
         * @description An API key was made. The body is the event as GET /events lists it.
         */
        post: operations["receiveKeyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event key.revoked
         * @description An API key was revoked. The body is the event as GET /events lists it.
         */
        post: operations["receiveKeyRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event key.rotated
         * @description An API key has a new secret. The body is the event as GET /events lists it.
         */
        post: operations["receiveKeyRotated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "limit.reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event limit.reached
         * @description A limit has refused a request, for the first time on this day. The body is the event as GET /events lists it.
         */
        post: operations["receiveLimitReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event member.changed
         * @description The role of a member has changed. The body is the event as GET /events lists it.
         */
        post: operations["receiveMemberChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event member.joined
         * @description A member has joined the workspace. The body is the event as GET /events lists it.
         */
        post: operations["receiveMemberJoined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event member.removed
         * @description A member was removed, or has left. The body is the event as GET /events lists it.
         */
        post: operations["receiveMemberRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event run.cancelled
         * @description A run was cancelled. The body is the event as GET /events lists it.
         */
        post: operations["receiveRunCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event run.failed
         * @description A run has failed; `data.errorCode` says why. The body is the event as GET /events lists it.
         */
        post: operations["receiveRunFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event run.succeeded
         * @description A run has ended with an answer. The body is the event as GET /events lists it.
         */
        post: operations["receiveRunSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event run.waiting
         * @description A run waits for approvals, or for results of functions. The body is the event as GET /events lists it.
         */
        post: operations["receiveRunWaiting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event webhook.disabled
         * @description The server has disabled a webhook endpoint. The body is the event as GET /events lists it.
         */
        post: operations["receiveWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event webhook.test
         * @description A test of the endpoint that receives it. The body is the event as GET /events lists it.
         */
        post: operations["receiveWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AcceptedInvitation: {
            /**
             * Format: date-time
             * @description When the invitation was made.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description `queued`, `sent` or `failed`: by mail. `link`: no mail server is configured, so pass on `acceptUrl` yourself. `simulated`: made by a test key; no mail is sent, and accepting it makes no member.
             * @enum {string}
             */
            delivery: "queued" | "sent" | "failed" | "link" | "simulated";
            /** @description Why the mail could not be sent. */
            deliveryError: string | null;
            /** @description Invited address, in lower case. */
            email: string;
            /**
             * Format: date-time
             * @description When a pending invitation expires.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Id of the invitation.
             * @example inv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description Id of the inviting user; null for the operator.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            invitedBy: string | null;
            /**
             * @description The new member; null if the invitation was simulated.
             * @example mem_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            memberId: string | null;
            /** @description Personal message, shown with the invitation. */
            message: string | null;
            /**
             * @description Role after acceptance.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer";
            /**
             * @description Only a pending invitation can be accepted; it expires after seven days.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "revoked" | "expired";
            /** @description Teams after acceptance. */
            teamIds: string[];
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        AcceptedInvitationReply: {
            data: components["schemas"]["AcceptedInvitation"];
        };
        AcceptInvitationConflictErrors: components["schemas"]["AlreadyMemberError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["InvitationEndedError"];
        /** @description The key cannot be used from this address. */
        AddressNotAllowedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "address_not_allowed";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "address_not_allowed";
        };
        Agent: {
            /**
             * @description Who can access it: everyone in the `workspace`, or only owners, admins and the `teams` in `teamIds`. For everyone else it does not exist.
             * @enum {string}
             */
            access: "workspace" | "teams";
            /**
             * @description Agents that the tool `call_agent` may call.
             * @example []
             */
            agentIds: string[];
            /** @description What waits for an approval in effect: by `approvalTools`, and because a tool changes something elsewhere. */
            approvals: {
                /**
                 * @description Which of its calls wait for an approval. `some` depends on the call: `http_request` waits with any method but GET and HEAD.
                 * @enum {string}
                 */
                calls: "all" | "some" | "none";
                /** @description Name of a tool in `tools`. */
                tool: string;
            }[];
            /**
             * @description Tools in `tools` whose calls wait for an approval.
             * @example []
             */
            approvalTools: string[];
            /** @description Collections that the agent searches; empty for all collections that the key running it can access. */
            collectionIds: string[];
            /**
             * @description Connections for the tools of integrations. A connection is not used for a key or member without access to the collection that holds its documents.
             * @example []
             */
            connectionIds: string[];
            /**
             * Format: date-time
             * @description When the agent was made.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description What the agent is for. */
            description: string | null;
            /**
             * @description The model to use if `model` is not configured or fails, except with `model_request_rejected`; null for none.
             * @example extractive
             */
            fallbackModel: string | null;
            /**
             * @description Functions of your own program that the model may call. A run that waits for their results shows the calls in `pendingToolCalls`.
             * @example []
             */
            functions: components["schemas"]["AgentFunction"][];
            /**
             * @description Hosts that the tool `http_request` may call: a name (`api.example.com`), with a port (`api.example.com:8443`), or all subdomains (`*.example.com`). IP addresses are refused.
             * @example [
             *       "api.example.com"
             *     ]
             */
            httpHosts: string[];
            /**
             * @description Id of the agent.
             * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /** @description System prompt of the model. `{{name}}` is replaced by the variable of that name. */
            instructions: string;
            /** @description Limits of its runs; null for no limit by the agent. */
            limits: {
                /** @description Cost in US dollars after which a run makes no more model calls. */
                maxCostUsd: number | null;
                /** @description Budget for the agent's runs in a calendar month (UTC), in US dollars. */
                maxCostUsdPerMonth: number | null;
                /** @description Maximum number of tokens that the model writes in one call. */
                maxOutputTokens: number | null;
                /** @description Maximum number of model calls in a run. */
                maxSteps: number | null;
                /** @description Maximum duration of a run, in seconds. */
                timeoutSeconds: number | null;
            };
            /**
             * @description `default` (the server's default), `extractive`, or a provider's model: `openai/…`, `anthropic/…`, `google/…`, or `<name>/…` for the workspace's own provider. GET /models lists them. Test keys always run `sandbox`.
             * @example default
             */
            model: string;
            /** @description How the model writes; null for the provider's default. `limits.maxOutputTokens` limits its length. */
            modelParameters: {
                /** @description Whether a parameter that the model does not take is left out. Otherwise it is an error of the request. */
                lenient: boolean;
                /**
                 * @description How much the model thinks before it answers. Models differ in the levels that they have.
                 * @enum {string|null}
                 */
                reasoningEffort: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
                /** @description Number with which a provider tries to give the same answer to the same prompt. */
                seed: number | null;
                /**
                 * @description Texts at which the model stops writing; they are not part of the answer.
                 * @example []
                 */
                stop: string[];
                /** @description Sampling temperature: low values give similar answers each time. Some providers take at most 1. */
                temperature: number | null;
                /** @description Share of the most probable tokens from which the model picks. Set this or `temperature`. */
                topP: number | null;
            };
            /** @description Name of the agent. */
            name: string;
            /** @description Number of the revision that new runs use. */
            publishedRevision: number;
            /** @description Number of the latest revision, which these fields show. */
            revision: number;
            /**
             * @description A `paused` agent refuses new runs with 409. Not part of a revision: a change takes effect at once.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description Teams with access if `access` is `teams`; empty for owners and admins only. */
            teamIds: string[];
            /**
             * @description Tools that the model may call, by name; GET /agents/tools lists them: `search_knowledge`, `read_passages`, `calculator`, `current_time`, `http_request` (with `httpHosts`), `call_agent` (with `agentIds`), and those of integrations, such as `github_search_issues` (with `connectionIds`).
             * @example [
             *       "search_knowledge"
             *     ]
             */
            tools: string[];
            /**
             * Format: date-time
             * @description When it was last changed or published.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
            /**
             * @description Variables of the instructions by name, with their default values; null if every run must give a value.
             * @example {
             *       "language": "English",
             *       "customer_name": null
             *     }
             */
            variables: {
                [key: string]: string | null;
            };
        };
        AgentChange: {
            /**
             * @description Who can access it: everyone in the `workspace`, or only owners, admins and the `teams` in `teamIds`. For everyone else it does not exist.
             * @enum {string}
             */
            access?: "workspace" | "teams";
            /**
             * @description Agents that the tool `call_agent` may call.
             * @example []
             */
            agentIds?: string[];
            /**
             * @description Tools in `tools` whose calls wait for an approval.
             * @example []
             */
            approvalTools?: string[];
            /** @description Collections that the agent searches; empty for all collections that the key running it can access. */
            collectionIds?: string[];
            /**
             * @description Connections for the tools of integrations. A connection is not used for a key or member without access to the collection that holds its documents.
             * @example []
             */
            connectionIds?: string[];
            /** @description What the agent is for. */
            description?: string | null;
            /**
             * @description The model to use if `model` is not configured or fails, except with `model_request_rejected`; null for none.
             * @example extractive
             */
            fallbackModel?: string | null;
            /** @description Takes the fields that you do not send from this revision instead of the latest. Use it to edit a revision after a rollback. */
            fromRevision?: number;
            /**
             * @description Functions of your own program that the model may call. A run that waits for their results shows the calls in `pendingToolCalls`.
             * @example []
             */
            functions?: components["schemas"]["AgentFunctionInput"][];
            /**
             * @description Hosts that the tool `http_request` may call: a name (`api.example.com`), with a port (`api.example.com:8443`), or all subdomains (`*.example.com`). IP addresses are refused.
             * @example [
             *       "api.example.com"
             *     ]
             */
            httpHosts?: string[];
            /** @description System prompt of the model. `{{name}}` is replaced by the variable of that name. */
            instructions?: string;
            /** @description Limits of its runs. Replaces all five: a limit that is null or left out is removed. */
            limits?: {
                /** @description Cost in US dollars after which a run makes no more model calls. */
                maxCostUsd?: number | null;
                /** @description Budget for the agent's runs in a calendar month (UTC), in US dollars. */
                maxCostUsdPerMonth?: number | null;
                /** @description Maximum number of tokens that the model writes in one call. */
                maxOutputTokens?: number | null;
                /** @description Maximum number of model calls in a run. */
                maxSteps?: number | null;
                /** @description Maximum duration of a run, in seconds. */
                timeoutSeconds?: number | null;
            };
            /**
             * @description `default` (the server's default), `extractive`, or a provider's model: `openai/…`, `anthropic/…`, `google/…`, or `<name>/…` for the workspace's own provider. GET /models lists them. Test keys always run `sandbox`.
             * @example default
             */
            model?: string;
            /** @description How the model writes. Replaces all six: one that is null or left out is the provider's default. One that the model does not take is an error, unless `lenient` is true. */
            modelParameters?: {
                /** @description Whether a parameter that the model does not take is left out. Otherwise it is an error of the request. */
                lenient?: boolean;
                /**
                 * @description How much the model thinks before it answers. Models differ in the levels that they have.
                 * @enum {string|null}
                 */
                reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
                /** @description Number with which a provider tries to give the same answer to the same prompt. */
                seed?: number | null;
                /**
                 * @description Texts at which the model stops writing; they are not part of the answer.
                 * @example []
                 */
                stop?: string[];
                /** @description Sampling temperature: low values give similar answers each time. Some providers take at most 1. */
                temperature?: number | null;
                /** @description Share of the most probable tokens from which the model picks. Set this or `temperature`. */
                topP?: number | null;
            };
            /** @description Name of the agent. */
            name?: string;
            /** @description False keeps the new revision as a draft: runs still use the published one. By default it is published, including the changes of earlier drafts. */
            publish?: boolean;
            /**
             * @description A `paused` agent refuses new runs with 409. Not part of a revision: a change takes effect at once.
             * @enum {string}
             */
            status?: "active" | "paused";
            /** @description Teams with access if `access` is `teams`; empty for owners and admins only. */
            teamIds?: string[];
            /**
             * @description Tools that the model may call, by name; GET /agents/tools lists them: `search_knowledge`, `read_passages`, `calculator`, `current_time`, `http_request` (with `httpHosts`), `call_agent` (with `agentIds`), and those of integrations, such as `github_search_issues` (with `connectionIds`).
             * @example [
             *       "search_knowledge"
             *     ]
             */
            tools?: string[];
            /**
             * @description Variables of the instructions by name, with their default values; null if every run must give a value.
             * @example {
             *       "language": "English",
             *       "customer_name": null
             *     }
             */
            variables?: {
                [key: string]: string | null;
            };
        };
        /** @description Content of the agent in this revision. */
        AgentContent: {
            /**
             * @description Agents that the tool `call_agent` may call.
             * @example []
             */
            agentIds: string[];
            /**
             * @description Tools in `tools` whose calls wait for an approval.
             * @example []
             */
            approvalTools: string[];
            /** @description Collections that the agent searches; empty for all collections that the key running it can access. */
            collectionIds: string[];
            /**
             * @description Connections for the tools of integrations. A connection is not used for a key or member without access to the collection that holds its documents.
             * @example []
             */
            connectionIds: string[];
            /** @description What the agent is for. */
            description: string | null;
            /**
             * @description The model to use if `model` is not configured or fails, except with `model_request_rejected`; null for none.
             * @example extractive
             */
            fallbackModel: string | null;
            /**
             * @description Functions of your own program that the model may call. A run that waits for their results shows the calls in `pendingToolCalls`.
             * @example []
             */
            functions: components["schemas"]["AgentFunction"][];
            /**
             * @description Hosts that the tool `http_request` may call: a name (`api.example.com`), with a port (`api.example.com:8443`), or all subdomains (`*.example.com`). IP addresses are refused.
             * @example [
             *       "api.example.com"
             *     ]
             */
            httpHosts: string[];
            /** @description System prompt of the model. `{{name}}` is replaced by the variable of that name. */
            instructions: string;
            /** @description Limits of its runs; null for no limit by the agent. */
            limits: {
                /** @description Cost in US dollars after which a run makes no more model calls. */
                maxCostUsd: number | null;
                /** @description Budget for the agent's runs in a calendar month (UTC), in US dollars. */
                maxCostUsdPerMonth: number | null;
                /** @description Maximum number of tokens that the model writes in one call. */
                maxOutputTokens: number | null;
                /** @description Maximum number of model calls in a run. */
                maxSteps: number | null;
                /** @description Maximum duration of a run, in seconds. */
                timeoutSeconds: number | null;
            };
            /**
             * @description `default` (the server's default), `extractive`, or a provider's model: `openai/…`, `anthropic/…`, `google/…`, or `<name>/…` for the workspace's own provider. GET /models lists them. Test keys always run `sandbox`.
             * @example default
             */
            model: string;
            /** @description How the model writes; null for the provider's default. `limits.maxOutputTokens` limits its length. */
            modelParameters: {
                /** @description Whether a parameter that the model does not take is left out. Otherwise it is an error of the request. */
                lenient: boolean;
                /**
                 * @description How much the model thinks before it answers. Models differ in the levels that they have.
                 * @enum {string|null}
                 */
                reasoningEffort: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
                /** @description Number with which a provider tries to give the same answer to the same prompt. */
                seed: number | null;
                /**
                 * @description Texts at which the model stops writing; they are not part of the answer.
                 * @example []
                 */
                stop: string[];
                /** @description Sampling temperature: low values give similar answers each time. Some providers take at most 1. */
                temperature: number | null;
                /** @description Share of the most probable tokens from which the model picks. Set this or `temperature`. */
                topP: number | null;
            };
            /** @description Name of the agent. */
            name: string;
            /**
             * @description Tools that the model may call, by name; GET /agents/tools lists them: `search_knowledge`, `read_passages`, `calculator`, `current_time`, `http_request` (with `httpHosts`), `call_agent` (with `agentIds`), and those of integrations, such as `github_search_issues` (with `connectionIds`).
             * @example [
             *       "search_knowledge"
             *     ]
             */
            tools: string[];
            /**
             * @description Variables of the instructions by name, with their default values; null if every run must give a value.
             * @example {
             *       "language": "English",
             *       "customer_name": null
             *     }
             */
            variables: {
                [key: string]: string | null;
            };
        };
        AgentDeletedDetails: {
            /**
             * @description The agent.
             * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            agentId: string;
        };
        /** @description The agent is deleted. */
        AgentDeletedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "agent_deleted";
            details: components["schemas"]["AgentDeletedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "agent_deleted";
        };
        AgentFunction: {
            /** @description What the function does and when to call it, for the model. */
            description?: string;
            /** @description JSON Schema (draft 2020-12) of its arguments, with `"type": "object"` at the top; `$ref` only within the schema. Your program is sent only arguments that fit. */
            inputSchema: {
                [key: string]: unknown;
            };
            /**
             * @description Name by which the model calls it. No tool and no other function of the run may have this name.
             * @example look_up_order
             */
            name: string;
        };
        AgentFunctionInput: {
            /** @description What the function does and when to call it, for the model. */
            description?: string;
            /** @description JSON Schema (draft 2020-12) of its arguments, with `"type": "object"` at the top; `$ref` only within the schema. Your program is sent only arguments that fit. */
            inputSchema: {
                [key: string]: unknown;
            };
            /**
             * @description Name by which the model calls it. No tool and no other function of the run may have this name.
             * @example look_up_order
             */
            name: string;
        };
        AgentInstallation: {
            /** @description Collections that the agent searches; empty for all collections that the key running it can access. */
            collectionIds?: string[];
            /**
             * @description `default` (the server's default), `extractive`, or a provider's model: `openai/…`, `anthropic/…`, `google/…`, or `<name>/…` for the workspace's own provider. GET /models lists them. Test keys always run `sandbox`.
             * @example default
             */
            model?: string;
            /** @description Name of the agent. */
            name?: string;
        };
        AgentListReply: {
            data: components["schemas"]["Agent"][];
            meta: components["schemas"]["PageMeta"];
        };
        AgentPausedDetails: {
            /**
             * @description The agent.
             * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            agentId: string;
        };
        /** @description The agent is paused. */
        AgentPausedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "agent_paused";
            details: components["schemas"]["AgentPausedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "agent_paused";
        };
        AgentReply: {
            data: components["schemas"]["Agent"];
        };
        AgentRevision: {
            /**
             * @description The agent.
             * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            agentId: string;
            /**
             * @description Fields that changed from the revision before; empty for the first.
             * @example [
             *       "instructions"
             *     ]
             */
            changedFields: string[];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Id of the user whose key created it; null for the server.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            createdBy: string | null;
            /**
             * @description Id of the revision, for `after` in the list.
             * @example rev_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /** @description Whether new runs use this revision. */
            isPublished: boolean;
            /** @description Counted from 1. */
            revision: number;
        };
        AgentRevisionDetail: {
            /**
             * @description The agent.
             * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            agentId: string;
            /**
             * @description Fields that changed from the revision before; empty for the first.
             * @example [
             *       "instructions"
             *     ]
             */
            changedFields: string[];
            /** @description Changes from the revision before; empty for the first. */
            changes: components["schemas"]["FieldChange"][];
            content: components["schemas"]["AgentContent"];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Id of the user whose key created it; null for the server.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            createdBy: string | null;
            /**
             * @description Id of the revision, for `after` in the list.
             * @example rev_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /** @description Whether new runs use this revision. */
            isPublished: boolean;
            /** @description Counted from 1. */
            revision: number;
        };
        AgentRevisionDetailReply: {
            data: components["schemas"]["AgentRevisionDetail"];
        };
        AgentRevisionListReply: {
            data: components["schemas"]["AgentRevision"][];
            meta: components["schemas"]["PageMeta"];
        };
        AgentTemplate: {
            /**
             * @description Kind of work.
             * @enum {string}
             */
            category: "knowledge" | "support" | "writing" | "research";
            /** @description What the agent is for. */
            description: string;
            /**
             * @description Id of the template.
             * @example knowledge-assistant
             */
            id: string;
            /** @description Instructions that an installed agent gets. */
            instructions: string;
            /** @description Name that an installed agent gets. */
            name: string;
            /** @description Tools that an installed agent gets. */
            tools: string[];
        };
        AgentTemplateListReply: {
            data: components["schemas"]["AgentTemplate"][];
            meta: components["schemas"]["PageMeta"];
        };
        AgentTool: {
            /** @description Description of the tool for the model. */
            description: string;
            /** @description JSON Schema of its arguments. */
            inputSchema: {
                [key: string]: unknown;
            };
            /** @description The integration that it uses: the agent needs one of its connections in `connectionIds`. Null if it needs none. */
            integrationId: string | null;
            /**
             * @description Name to use in an agent's `tools`.
             * @example calculator
             */
            name: string;
            /** @description True if every call waits for an approval; an agent’s `approvalTools` adds more tools. For `http_request`, all methods except GET and HEAD wait. */
            needsApproval: boolean;
            /** @description JSON Schema of the result that the model reads and the step stores. */
            outputSchema: {
                [key: string]: unknown;
            };
            /**
             * @description Permission that the key running the agent needs, because tools act for that key.
             * @enum {string}
             */
            permission: "agents:read" | "agents:run" | "agents:write" | "knowledge:read" | "knowledge:write" | "integrations:read" | "integrations:write" | "workspace:write" | "members:read" | "members:write" | "teams:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "usage:read" | "audit:read";
            /** @description False if a second call could do something twice: a run that resumes after a crash does not repeat such a call. For `http_request`, GET and HEAD are safe. */
            safeToRepeat: boolean;
        };
        AgentToolListReply: {
            data: components["schemas"]["AgentTool"][];
            meta: components["schemas"]["PageMeta"];
        };
        AlreadyExistsDetails: {
            /**
             * @description The field whose value is taken.
             * @example externalId
             */
            field: string;
            /**
             * @description The existing record; null if it is not shown to the caller.
             * @example doc_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string | null;
            /**
             * @description The kind of record.
             * @example document
             */
            resource: string;
        };
        /** @description A record with this value exists already. */
        AlreadyExistsError: components["schemas"]["Error"] & {
            /** @constant */
            code: "already_exists";
            details: components["schemas"]["AlreadyExistsDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "already_exists";
        };
        AlreadyExistsErrors: components["schemas"]["AlreadyExistsError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"];
        AlreadyInvitedDetails: {
            /**
             * @description The pending invitation.
             * @example inv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            invitationId: string;
        };
        /** @description The address is invited already. */
        AlreadyInvitedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "already_invited";
            details: components["schemas"]["AlreadyInvitedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "already_invited";
        };
        /** @description The person is a member of the workspace already. */
        AlreadyMemberError: components["schemas"]["Error"] & {
            /** @constant */
            code: "already_member";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "already_member";
        };
        ApiKey: {
            /** @description Narrows the key to these agents; null for all. */
            agentIds: string[] | null;
            /** @description Addresses or CIDRs from which the key can be used; null for any. */
            allowedAddresses: string[] | null;
            /** @description Narrows the key to these collections; null for all. */
            collectionIds: string[] | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @enum {string} */
            environment: "live" | "test";
            /**
             * Format: date-time
             * @description When the key expires; null for never.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description Narrows the key to documents that match: a filter as in GET /knowledge/search, as an object. Such a key may have `agents:read`, `agents:run` and `knowledge:read`. It cannot be changed; null for all documents.
             * @example {
             *       "field": "tenant",
             *       "op": "eq",
             *       "value": "acme"
             *     }
             */
            filter: {
                [key: string]: unknown;
            } | null;
            /** @description First and last characters of the key, to tell keys apart. */
            hint: string;
            /** @example key_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /**
             * Format: date-time
             * @description Last use, to the minute.
             * @example 2026-11-21T09:30:00.000Z
             */
            lastUsedAt: string | null;
            /** @description Name of the key, for people. */
            name: string;
            /** @description Permissions of the key. They never exceed the current permissions of the person or service account that it acts for. */
            permissions: ("agents:read" | "agents:run" | "agents:write" | "knowledge:read" | "knowledge:write" | "integrations:read" | "integrations:write" | "workspace:write" | "members:read" | "members:write" | "teams:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "usage:read" | "audit:read")[];
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            revokedAt: string | null;
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
            /**
             * @description The person or service account that it acts for, whose permissions it inherits.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            userId: string;
        };
        ApiKeyChange: {
            /** @description Narrows the key to these agents; null for all. */
            agentIds?: string[] | null;
            /** @description Addresses or CIDRs from which the key can be used; null for any. */
            allowedAddresses?: string[] | null;
            /** @description Narrows the key to these collections; null for all. */
            collectionIds?: string[] | null;
            /**
             * Format: date-time
             * @description When the key expires; null for never.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt?: string | null;
            /** @description Name of the key, for people. */
            name?: string;
            /** @description Permissions of the key. They never exceed the current permissions of the person or service account that it acts for. */
            permissions?: ("agents:read" | "agents:run" | "agents:write" | "knowledge:read" | "knowledge:write" | "integrations:read" | "integrations:write" | "workspace:write" | "members:read" | "members:write" | "teams:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "usage:read" | "audit:read")[];
        };
        ApiKeyListReply: {
            data: components["schemas"]["ApiKey"][];
            meta: components["schemas"]["PageMeta"];
        };
        ApiKeyOrPreviewReply: {
            data: components["schemas"]["ApiKey"] | components["schemas"]["Preview"];
        };
        ApiKeyReply: {
            data: components["schemas"]["ApiKey"];
        };
        ApiKeyWithSecret: {
            /** @description Narrows the key to these agents; null for all. */
            agentIds: string[] | null;
            /** @description Addresses or CIDRs from which the key can be used; null for any. */
            allowedAddresses: string[] | null;
            /** @description Narrows the key to these collections; null for all. */
            collectionIds: string[] | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @enum {string} */
            environment: "live" | "test";
            /**
             * Format: date-time
             * @description When the key expires; null for never.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description Narrows the key to documents that match: a filter as in GET /knowledge/search, as an object. Such a key may have `agents:read`, `agents:run` and `knowledge:read`. It cannot be changed; null for all documents.
             * @example {
             *       "field": "tenant",
             *       "op": "eq",
             *       "value": "acme"
             *     }
             */
            filter: {
                [key: string]: unknown;
            } | null;
            /** @description First and last characters of the key, to tell keys apart. */
            hint: string;
            /** @example key_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description The whole key. Only this reply has it; a replayed reply leaves it out. */
            key?: string;
            /**
             * Format: date-time
             * @description Last use, to the minute.
             * @example 2026-11-21T09:30:00.000Z
             */
            lastUsedAt: string | null;
            /** @description Name of the key, for people. */
            name: string;
            /** @description Permissions of the key. They never exceed the current permissions of the person or service account that it acts for. */
            permissions: ("agents:read" | "agents:run" | "agents:write" | "knowledge:read" | "knowledge:write" | "integrations:read" | "integrations:write" | "workspace:write" | "members:read" | "members:write" | "teams:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "usage:read" | "audit:read")[];
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            revokedAt: string | null;
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
            /**
             * @description The person or service account that it acts for, whose permissions it inherits.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            userId: string;
        };
        ApiKeyWithSecretReply: {
            data: components["schemas"]["ApiKeyWithSecret"];
        };
        AppendToUploadConflictErrors: components["schemas"]["AlreadyExistsError"] | components["schemas"]["ConcurrentChangeError"] | components["schemas"]["DocumentInProgressError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["UploadBusyError"] | components["schemas"]["UploadEndedError"] | components["schemas"]["UploadOffsetError"];
        /** @description Decision on a call that waited for an approval. */
        Approval: {
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-11-21T09:30:00.000Z
             */
            decidedAt: string;
            /** @description Author of the decision. */
            decidedBy: {
                /** @description The key that decided; null for a person in the console. */
                keyId: string | null;
                /** @description Id of the user who decided, or whose key did. */
                userId: string | null;
            };
            /**
             * @description The decision.
             * @enum {string}
             */
            decision: "approve" | "reject";
            /** @description The reason that was given; null if none was. */
            reason: string | null;
        };
        AssistantMessage: {
            /** @description What it said; may be left out where it called functions. */
            content?: string;
            /**
             * @description What the model said before.
             * @enum {string}
             */
            role: "assistant";
            /** @description Functions that it called; the next messages are their results. */
            toolCalls?: components["schemas"]["MessageToolCall"][];
        };
        AssistantMessageInput: {
            /** @description What it said; may be left out where it called functions. */
            content?: string;
            /**
             * @description What the model said before.
             * @enum {string}
             */
            role: "assistant";
            /** @description Functions that it called; the next messages are their results. */
            toolCalls?: components["schemas"]["MessageToolCallInput"][];
        };
        AuditEntry: {
            /** @description What was done, such as `agent.create`. */
            action: string;
            /**
             * @description Kind of author: a key, a person in the console, the operator, or the server.
             * @enum {string}
             */
            actor: "key" | "person" | "operator" | "system";
            /** @description The address that the request came from. */
            address: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description More about the change; never a secret. */
            details: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            environment: "live" | "test";
            id: string;
            /** @description The key that made it. */
            keyId: string | null;
            /** @description The X-Request-Id of the request. */
            requestId: string;
            /** @description Id of the changed record. */
            resourceId: string | null;
            /** @description The person that the author acted for. */
            userId: string | null;
        };
        AuditEntryListReply: {
            data: components["schemas"]["AuditEntry"][];
            meta: components["schemas"]["PageMeta"];
        };
        Batch: {
            /** @description Documents with a new version. */
            changed: number;
            /** @description New documents. */
            created: number;
            /** @description Whether this is a preview: nothing was stored. */
            dryRun: boolean;
            /** @description One entry for each file, in the order sent. */
            files: components["schemas"]["BatchFile"][];
            /** @description Files that were refused. */
            rejected: number;
            /** @description Files that the collection already has. */
            unchanged: number;
        };
        BatchFile: {
            /** @description Null if it was rejected, or in a preview of a new document. */
            document: components["schemas"]["Document"] | null;
            /** @description Why it was `rejected`. */
            error: {
                code: string;
                message: string;
            } | null;
            /** @description Null with `externalIds=none`. */
            externalId: string | null;
            /** @description Name as sent or as in the zip, with its folders. */
            name: string;
            /**
             * @description Result for this file, independent of the others.
             * @enum {string}
             */
            outcome: "created" | "changed" | "unchanged" | "rejected";
        };
        BatchReply: {
            data: components["schemas"]["Batch"];
        };
        BranchConversationConflictErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["LimitReachedError"] | components["schemas"]["RunInProgressError"];
        /** @description The budget of this month is used up. */
        BudgetExceededError: components["schemas"]["Error"] & {
            /** @constant */
            code: "budget_exceeded";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "budget_exceeded";
        };
        CallbackDelivery: {
            /** @description Number of attempts. */
            attemptCount: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Why it `failed`; null otherwise. */
            error: string | null;
            /**
             * @description Id of the event, sent as `webhook-id` with every attempt, so that a receiver can recognise repeats.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            eventId: string;
            /** @enum {string} */
            eventType: "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled" | "webhook.test";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            finishedAt: string | null;
            /** @example whd_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /**
             * Format: date-time
             * @description When the next attempt starts; null once it has ended.
             * @example 2026-11-21T09:30:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * @description Why it was sent.
             * @enum {string}
             */
            origin: "event" | "test" | "redelivery" | "replay";
            /**
             * @description The run that was started with `callbackUrl`.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /**
             * @description Failed attempts are repeated. `failed` means that no more attempts follow.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description The `callbackUrl` of the run. */
            url: string;
        };
        CallbackDeliveryDetail: {
            /** @description Number of attempts. */
            attemptCount: number;
            /** @description Attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description The body that is sent; null if the event is no longer stored. */
            body: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Why it `failed`; null otherwise. */
            error: string | null;
            /**
             * @description Id of the event, sent as `webhook-id` with every attempt, so that a receiver can recognise repeats.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            eventId: string;
            /** @enum {string} */
            eventType: "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled" | "webhook.test";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            finishedAt: string | null;
            /** @example whd_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /**
             * Format: date-time
             * @description When the next attempt starts; null once it has ended.
             * @example 2026-11-21T09:30:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * @description Why it was sent.
             * @enum {string}
             */
            origin: "event" | "test" | "redelivery" | "replay";
            /**
             * @description The run that was started with `callbackUrl`.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /**
             * @description Failed attempts are repeated. `failed` means that no more attempts follow.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description The `callbackUrl` of the run. */
            url: string;
        };
        CallbackDeliveryDetailReply: {
            data: components["schemas"]["CallbackDeliveryDetail"];
        };
        CallbackDeliveryListReply: {
            data: components["schemas"]["CallbackDelivery"][];
            meta: components["schemas"]["PageMeta"];
        };
        CallbackDeliveryReply: {
            data: components["schemas"]["CallbackDelivery"];
        };
        CallbackSecret: {
            /**
             * @description Environment of the runs whose callbacks it signs.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * Format: date-time
             * @description Until when callbacks also carry a signature with the previous secret.
             * @example 2026-11-21T09:30:00.000Z
             */
            previousSecretExpiresAt: string | null;
            /**
             * Format: date-time
             * @description When the secret was made; null if there is none yet, and runs take no `callbackUrl`.
             * @example 2026-11-21T09:30:00.000Z
             */
            rotatedAt: string | null;
        };
        CallbackSecretReply: {
            data: components["schemas"]["CallbackSecret"];
        };
        CatalogEntry: {
            /**
             * @description How a connection is authorized unless you send `credentials`.
             * @enum {string}
             */
            auth: "oauth2" | "api_key" | "basic" | "none" | "mcp";
            /** @description All ways to authorize a connection. */
            authKinds: ("oauth2" | "api_key" | "basic" | "none" | "mcp")[];
            /** @description What a connection can be used for, beyond being tested. */
            capabilities: ("sync" | "tools")[];
            category: string;
            /** @description JSON Schema of `config` when connecting. */
            configSchema: {
                [key: string]: unknown;
            };
            /** @description False if the OAuth client that connecting needs is not configured. */
            configured: boolean;
            /** @description JSON Schema of `credentials` when connecting; null if none are sent. If `auth` is `oauth2`, you may send them instead of authorizing. */
            credentialsSchema: {
                [key: string]: unknown;
            } | null;
            description: string;
            /** @description Documentation of the service. */
            documentationUrl: string | null;
            /** @description Value of `integrationId` when connecting. */
            id: string;
            name: string;
            /** @description True if this entry has not been tested against a server that behaves as the service documents. */
            unverified: boolean;
        };
        CatalogEntryListReply: {
            data: components["schemas"]["CatalogEntry"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description The checksum of the bytes does not match the request. */
        ChecksumMismatchError: components["schemas"]["Error"] & {
            /** @constant */
            code: "checksum_mismatch";
        };
        Citation: {
            /** @description Id of the chunk that the search found. */
            chunkId: string;
            /** @description The document. */
            documentId: string;
            /** @description The version of the document that was quoted. */
            documentVersion: number;
            /** @description End of the quote, exclusive. */
            endOffset: number;
            /**
             * @description Marker in the output, such as `[1]`.
             * @example [1]
             */
            marker: string;
            /** @description Page number; null for documents without pages. */
            page: number | null;
            /** @description Exact words of the document at the offsets; `[erased]` once the document has been permanently erased. */
            quote: string;
            /** @description Start of the quote, in code points of the document's text. */
            startOffset: number;
        };
        CitationsToVerify: {
            citations: components["schemas"]["CitationToVerify"][];
        };
        CitationToVerify: {
            /**
             * @description The document that was quoted.
             * @example doc_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            documentId: string;
            /** @description Version to check; by default the one that search finds now. */
            documentVersion?: number;
            /** @description Expected end, exclusive; only with `startOffset`. */
            endOffset?: number;
            /** @description The words to check. */
            quote: string;
            /** @description Expected start, in code points. */
            startOffset?: number;
        };
        Collection: {
            /**
             * @description Who can access it: everyone in the `workspace`, or only owners, admins and the `teams` in `teamIds`. For everyone else it does not exist.
             * @enum {string}
             */
            access: "workspace" | "teams";
            /** @description Number of searchable chunks. */
            chunkCount: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description What it holds. */
            description: string | null;
            /** @description Number of documents, in any status. */
            documentCount: number;
            /** @description The embedding model; null for text search only. */
            embedding: string | null;
            /** @description Set while chunks lack vectors: after a change of the model, or while the provider does not answer. The server creates them in the background; until then search uses the existing vectors. */
            embeddingUpdate: {
                /** @description Why the last attempt to create them failed. */
                error: {
                    code: string;
                    message: string;
                } | null;
                /** @description The model whose vectors are missing. */
                model: string;
            } | null;
            /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Its name, for people. */
            name: string;
            /** @description Bytes of the current files of its documents. */
            sizeBytes: number;
            /** @description Bytes of all stored files, including earlier versions and documents in the trash. This counts towards the plan's storage. */
            storedBytes: number;
            /** @description Teams with access if `access` is `teams`; empty for owners and admins only. */
            teamIds: string[];
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        CollectionChange: {
            /**
             * @description Who can access it: everyone in the `workspace`, or only owners, admins and the `teams` in `teamIds`. For everyone else it does not exist.
             * @enum {string}
             */
            access?: "workspace" | "teams";
            /** @description What it holds. */
            description?: string | null;
            /** @description Its name, for people. */
            name?: string;
            /** @description Teams with access if `access` is `teams`; empty for owners and admins only. */
            teamIds?: string[];
        };
        /** @description The collection of the connection is deleted. */
        CollectionDeletedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "collection_deleted";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "collection_deleted";
        };
        CollectionImport: {
            /**
             * @description The new collection, once it has `succeeded`.
             * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            collectionId: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Number of imported documents. */
            documentCount: number;
            /** @description Why it `failed`; a failed import leaves nothing. */
            error: {
                /** @enum {string} */
                code: "archive_invalid" | "archive_version" | "storage_limit" | "processing_failed";
                message: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            finishedAt: string | null;
            /** @example imp_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description From 0 to 1. */
            progress: number;
            /** @description Bytes of the archive. */
            sizeBytes: number;
            /**
             * @description `succeeded` and `failed` are final.
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        CollectionImportReply: {
            data: components["schemas"]["CollectionImport"];
        };
        CollectionListReply: {
            data: components["schemas"]["Collection"][];
            meta: components["schemas"]["PageMeta"];
        };
        CollectionReply: {
            data: components["schemas"]["Collection"];
        };
        CollectionTakenDetails: {
            /**
             * @description That connection.
             * @example con_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            connectionId: string;
        };
        /** @description Another connection keeps the collection in sync. */
        CollectionTakenError: components["schemas"]["Error"] & {
            /** @constant */
            code: "collection_taken";
            details: components["schemas"]["CollectionTakenDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "collection_taken";
        };
        ComparedRun: {
            /** @description Revision of the agent that the run used. */
            agentRevision: number;
            /**
             * Format: date-time
             * @description When the run was requested.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description From `startedAt` to `finishedAt`, in milliseconds; null if one of them is. */
            durationMs: number | null;
            /** @description Null unless the run failed. */
            error: {
                /**
                 * @description Why the run failed.
                 * @enum {string}
                 */
                code: "model_not_configured" | "model_unauthorized" | "model_not_found" | "model_rate_limited" | "model_quota_exceeded" | "model_unavailable" | "model_timeout" | "model_request_rejected" | "model_invalid_response" | "context_too_long" | "content_filtered" | "output_truncated" | "max_steps" | "max_cost" | "budget_exceeded" | "output_invalid" | "attachment_unavailable" | "run_timeout" | "tool_error" | "run_interrupted" | "approval_expired" | "tool_result_expired" | "access_revoked" | "internal_error";
                /** @description Description of the error. */
                message: string;
                /** @description Whether the same run may succeed later. */
                retryable: boolean;
            } | null;
            /** @description Feedback on the answer; null if there is none. */
            feedback: components["schemas"]["Feedback"] | null;
            /**
             * @description Id of the run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /** @description Model that the run used; null until it starts. */
            model: string | null;
            /** @description The answer; null until there is one. */
            output: string | null;
            /**
             * @description The run whose inputs it repeats; null if it is not a rerun.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            rerunOf: string | null;
            /**
             * @description Every run ends as `succeeded`, `failed` or `cancelled`. A `waiting` run has tool calls that wait for an approval, or for a result of your program.
             * @enum {string}
             */
            status: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled";
            /** @description Steps of the run, in order; GET /runs/{id} shows each in full. */
            steps: {
                /** @description Duration, in milliseconds. */
                durationMs: number;
                /** @description Name of the model or of the tool. */
                name: string;
                /**
                 * @description A model call or a tool call.
                 * @enum {string}
                 */
                type: "model" | "tool";
            }[];
            /** @description The answer as a value that fits `responseSchema`; null if no schema was given. */
            structuredOutput: unknown;
            /** @description What the run used. */
            usage: {
                /** @description Cost in US dollars: 0 for the built-in models, null if the model's price is unknown. */
                costUsd: number | null;
                /** @description Input tokens of all steps. */
                inputTokens: number;
                /** @description True if a model call was cut short. Its tokens are then estimated at four characters per token. */
                isEstimate: boolean;
                /** @description Output tokens of all steps. */
                outputTokens: number;
            };
        };
        CompleteSyncConflictErrors: components["schemas"]["DeleteGuardError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["SyncEndedError"];
        /** @description Another request changed the record at the same time. */
        ConcurrentChangeError: components["schemas"]["Error"] & {
            /** @constant */
            code: "concurrent_change";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "concurrent_change";
        };
        ConnectIntegrationConflictErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["IntegrationNotConfiguredError"] | components["schemas"]["LimitReachedError"];
        Connection: {
            /** @description The connected account; null until it is known. */
            account: {
                /** @description The account's id at the service. */
                id: string;
                /** @description Name of the account at the service. */
                name: string;
            } | null;
            /** @description Settings that fit the entry's `configSchema`. */
            config: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @example con_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Id of the catalog entry. */
            integrationId: string;
            /** @description Last error; null once the connection works again. */
            lastError: {
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                at: string;
                /** @description Error code for programs. */
                code: string;
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was last synchronized.
             * @example 2026-11-21T09:30:00.000Z
             */
            lastSyncAt: string | null;
            name: string;
            /** @description What the service granted. */
            scopes: string[];
            /**
             * @description `pending`: waits for the authorization. `needs_reauth`: the service no longer accepts the credentials. `expired`: not authorized in time.
             * @enum {string}
             */
            status: "pending" | "active" | "needs_reauth" | "failed" | "revoked" | "expired";
            sync: {
                /**
                 * @description Collection of its documents; null before the first sync, which creates one.
                 * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                collectionId: string | null;
                /** @description Minutes between syncs; null for syncs on request only. */
                everyMinutes: number | null;
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                nextSyncAt: string | null;
            };
        };
        ConnectionChange: {
            /** @description All settings, fitting the entry's `configSchema`. The next sync lists everything. An address that the credentials were not given for is refused. */
            config?: {
                [key: string]: unknown;
            };
            name?: string;
            sync?: {
                /**
                 * @description Collection for the documents from the next sync on; null creates a new one. Documents in the previous collection stay there. Only one connection can sync to a collection.
                 * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                collectionId?: string | null;
                /** @description Minutes between scheduled syncs, which act for the member who sets this. */
                everyMinutes?: number | null;
            };
        };
        ConnectionItem: {
            /**
             * @description Its document; a failed item keeps its earlier one.
             * @example doc_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            documentId: string | null;
            /** @description Why it failed. */
            error: {
                /** @description Error code for programs. */
                code: string;
                message: string;
            } | null;
            /** @description Id of the item at the service, which is its document's `externalId`. */
            externalId: string;
            /**
             * @description `pending`: not tried yet. `failed`: the next sync tries again. `gone`: the service no longer has it, but its document still exists.
             * @enum {string}
             */
            status: "failed" | "synced" | "pending" | "gone";
            title: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        ConnectionItemListReply: {
            data: components["schemas"]["ConnectionItem"][];
            meta: components["schemas"]["PageMeta"];
        };
        ConnectionListReply: {
            data: components["schemas"]["Connection"][];
            meta: components["schemas"]["PageMeta"];
        };
        ConnectionNotActiveDetails: {
            /**
             * @description The connection.
             * @example con_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            connectionId: string;
            /**
             * @description Its status.
             * @example needs_reauth
             */
            status: string;
        };
        /** @description The connection is not active. */
        ConnectionNotActiveError: components["schemas"]["Error"] & {
            /** @constant */
            code: "connection_not_active";
            details: components["schemas"]["ConnectionNotActiveDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "connection_not_active";
        };
        ConnectionNotActiveErrors: components["schemas"]["ConnectionNotActiveError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"];
        ConnectionReply: {
            data: components["schemas"]["Connection"];
        };
        ConnectionSync: {
            /** @description New documents. */
            added: number;
            /** @description Documents with new content. */
            changed: number;
            /**
             * @description Collection of the documents.
             * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            collectionId: string;
            /** @example con_01kajz4v7qf3x8m2c9t5b6n0rw */
            connectionId: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Documents moved to the trash because their items are gone. */
            deleted: number;
            /** @description Why it failed, or why it pauses. */
            error: {
                /** @description Error code for programs. */
                code: string;
                message: string;
            } | null;
            /** @description Items that could not be fetched or stored; every sync tries them again. */
            failed: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            finishedAt: string | null;
            /** @description True if it lists everything, false if only changes since the last sync. */
            full: boolean;
            /** @example csy_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Items listed so far. */
            listed: number;
            /**
             * @description `listing` the items of the service, `fetching` new and changed ones, `removing` documents of removed ones; null once it has ended.
             * @enum {string|null}
             */
            phase: "listing" | "fetching" | "removing" | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            startedAt: string | null;
            /** @enum {string} */
            startedBy: "request" | "schedule";
            /**
             * @description A `running` sync with `waitingUntil` pauses because the service asked for it or did not answer.
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description Items whose document is up to date. */
            unchanged: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When it continues.
             * @example 2026-11-21T09:30:00.000Z
             */
            waitingUntil: string | null;
        };
        ConnectionSyncListReply: {
            data: components["schemas"]["ConnectionSync"][];
            meta: components["schemas"]["PageMeta"];
        };
        ConnectionSyncReply: {
            data: components["schemas"]["ConnectionSync"];
        };
        ConnectionTest: {
            /** @description The account at the service. */
            account: {
                /** @description The account's id at the service. */
                id: string;
                /** @description Name of the account at the service. */
                name: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            checkedAt: string;
            /** @description The error; null if there is none. */
            error: {
                code: string;
                message: string;
            } | null;
            /** @description Whether the service accepted the call. */
            ok: boolean;
            /**
             * @description The connection's status after the test.
             * @enum {string}
             */
            status: "pending" | "active" | "needs_reauth" | "failed" | "revoked" | "expired";
        };
        ConnectionTestReply: {
            data: components["schemas"]["ConnectionTest"];
        };
        Conversation: {
            /**
             * @description The agent of the conversation.
             * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            agentId: string;
            /** @description The last run of the parent conversation that this one remembers. */
            branchRunId: string | null;
            /** @description The only collections that its runs read: those asked for that the conversation or the calling run allows. Null for no such limit. */
            collectionIds: string[] | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Your id of the end user, as given with the first prompt. */
            endUserId: string | null;
            /** @description Only documents that match are read: the filter asked for, joined with that of the conversation or the calling run. Null for no filter. */
            filter: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Id of the conversation.
             * @example cnv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /** @description Its name; by default the first words of its first prompt. */
            name: string;
            /** @description The conversation that it branched from; null if there is none or it has been deleted. */
            parentId: string | null;
            /** @description Number of its runs in any status, without those of the parent conversation. */
            runCount: number;
            /** @description Summary of the turns that no longer fit the model's context window; null until then. */
            summary: {
                /** @description Text of the summary. */
                text: string;
                /** @description The last run that the summary covers. */
                untilRunId: string;
            } | null;
            /**
             * Format: date-time
             * @description When its last run was requested, or its name changed.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        ConversationBusyDetails: {
            /**
             * @description The run in progress; null if it has just ended.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string | null;
        };
        /** @description A run of the conversation is in progress. */
        ConversationBusyError: components["schemas"]["Error"] & {
            /** @constant */
            code: "conversation_busy";
            details: components["schemas"]["ConversationBusyDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "conversation_busy";
        };
        ConversationBusyErrors: components["schemas"]["ConversationBusyError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"];
        ConversationChange: {
            /** @description New name: 1 to 200 characters. */
            name: string;
        };
        ConversationListReply: {
            data: components["schemas"]["Conversation"][];
            meta: components["schemas"]["PageMeta"];
        };
        ConversationReply: {
            data: components["schemas"]["Conversation"];
        };
        CreateModelProviderConflictErrors: components["schemas"]["AlreadyExistsError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["LimitReachedError"];
        CreateServiceAccountForbiddenErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["MemberLimitError"] | components["schemas"]["PermissionMissingError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["SandboxForbiddenError"] | components["schemas"]["WorkspaceDeletedError"];
        CreateTeamConflictErrors: components["schemas"]["AlreadyExistsError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["LimitReachedError"];
        CreateUploadConflictErrors: components["schemas"]["AlreadyExistsError"] | components["schemas"]["ConcurrentChangeError"] | components["schemas"]["DocumentInProgressError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["UploadBusyError"] | components["schemas"]["UploadOffsetError"];
        CreateWebhookConflictErrors: components["schemas"]["AlreadyExistsError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["LimitReachedError"];
        /** @description The service refused the credentials. */
        CredentialsRejectedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "credentials_rejected";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "credentials_rejected";
        };
        CredentialsRejectedErrors: components["schemas"]["CredentialsRejectedError"] | components["schemas"]["IdempotencyMismatchError"];
        Decisions: {
            /** @description Decisions on some or all of the waiting calls. */
            decisions: {
                /**
                 * @description A rejected call is not executed, and the model learns that it was rejected.
                 * @enum {string}
                 */
                decision: "approve" | "reject";
                /** @description Reason, stored with the step. For a rejected call the model reads it too. */
                reason?: string;
                /**
                 * @description Id of the call, as the run shows it.
                 * @example call_1
                 */
                toolCallId: string;
            }[];
        };
        DeleteGuardDetails: {
            /**
             * @description The number to send as `confirmDeletes`.
             * @example 40
             */
            confirmDeletes: number;
            /**
             * @description Documents that the source had before.
             * @example 50
             */
            of: number;
        };
        /** @description The sync would delete more documents than it may without confirmation. */
        DeleteGuardError: components["schemas"]["Error"] & {
            /** @constant */
            code: "delete_guard";
            details: components["schemas"]["DeleteGuardDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "delete_guard";
        };
        DeliveryAttempt: {
            durationMs: number;
            /** @description The error; null if it was delivered. */
            error: string | null;
            number: number;
            request: {
                /** @description Without the signature. */
                headers: {
                    [key: string]: string;
                };
                url: string;
            };
            /** @description Null if there was none. */
            response: {
                /** @description Its first 4,000 characters; at most 16 KB are read. */
                body: string;
                headers: {
                    [key: string]: string;
                };
                statusCode: number;
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            startedAt: string;
        };
        Document: {
            /** @description Number of searchable chunks. */
            chunkCount: number;
            /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
            collectionId: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Id of an older document of the collection with the same content.
             * @example doc_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            duplicateOf: string | null;
            /** @description Why it `failed`. */
            error: {
                /** @description One of the codes in the guide on error codes. */
                code: string;
                message: string;
                /** @description Whether a retry of the same file may succeed. */
                retryable: boolean;
            } | null;
            /** @description The document's id in the source system. */
            externalId: string | null;
            /** @example doc_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Media type, detected from the content. */
            mediaType: string;
            /** @description Metadata given at the upload or changed later. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The file's name. */
            name: string;
            /** @description Number of pages; null for formats without pages. */
            pageCount: number | null;
            /** @description From 0 to 1. */
            progress: number;
            /** @description The version that search finds: an earlier one until the latest is `ready`; null if no version has been `ready`. */
            servedVersion: number | null;
            /** @description Hash of the original file, in hexadecimal. */
            sha256: string;
            /** @description Bytes of the original file. */
            sizeBytes: number;
            /**
             * @description `queued`, `parsing`, `embedding` (if its collection has an embedding model), `indexing`, then `ready` or `failed`, which are final. The next search finds a `ready` document.
             * @enum {string}
             */
            status: "queued" | "parsing" | "embedding" | "indexing" | "ready" | "failed";
            /** @description Title as given, or as found in the file. */
            title: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
            /** @description Number of the latest version; grows with each new content. */
            version: number;
        };
        DocumentContent: {
            /** @example doc_01kajz4v7qf3x8m2c9t5b6n0rw */
            documentId: string;
            /** @description Offset after the last code point returned. */
            endOffset: number;
            /** @description Length of the whole text, in code points. */
            length: number;
            /** @description Offset of the first code point returned. */
            startOffset: number;
            text: string;
            /** @description The version that the text belongs to. */
            version: number;
        };
        DocumentContentReply: {
            data: components["schemas"]["DocumentContent"];
        };
        DocumentInProgressDetails: {
            /**
             * @description Its status.
             * @example parsing
             */
            status: string;
        };
        /** @description The document is being processed. */
        DocumentInProgressError: components["schemas"]["Error"] & {
            /** @constant */
            code: "document_in_progress";
            details: components["schemas"]["DocumentInProgressDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "document_in_progress";
        };
        DocumentInProgressErrors: components["schemas"]["DocumentInProgressError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"];
        DocumentListReply: {
            data: components["schemas"]["Document"][];
            meta: components["schemas"]["PageMeta"];
        };
        DocumentNotFailedDetails: {
            /**
             * @description Its status.
             * @example ready
             */
            status: string;
        };
        /** @description Only a failed document can be tried again. */
        DocumentNotFailedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "document_not_failed";
            details: components["schemas"]["DocumentNotFailedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "document_not_failed";
        };
        DocumentNotFailedErrors: components["schemas"]["DocumentNotFailedError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"];
        DocumentPart: {
            /**
             * @description Given with the prompt like one of `attachments`: a text as citable passages, an image for models that accept images.
             * @example doc_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            documentId: string;
            /**
             * @description A document of the workspace. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "document";
        };
        DocumentPartInput: {
            /**
             * @description Given with the prompt like one of `attachments`: a text as citable passages, an image for models that accept images.
             * @example doc_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            documentId: string;
            /**
             * @description A document of the workspace. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "document";
        };
        DocumentPatch: {
            /** @description Unique in its collection; null removes it. */
            externalId?: string | null;
            /**
             * @description Replaces all metadata.
             * @example {
             *       "department": "people",
             *       "year": 2026,
             *       "reviewed": true,
             *       "validUntil": "2027-01-31",
             *       "tags": [
             *         "leave",
             *         "pay"
             *       ]
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean | string[];
            };
            /** @description Title, which search finds too. */
            title?: string;
        };
        DocumentReply: {
            data: components["schemas"]["Document"];
        };
        DocumentVersion: {
            /** @example doc_01kajz4v7qf3x8m2c9t5b6n0rw */
            documentId: string;
            /** @description Whether search finds this version. */
            isServed: boolean;
            mediaType: string;
            /** @description The file's name. */
            name: string;
            /** @description Number of pages; null for formats without pages. */
            pageCount: number | null;
            /**
             * Format: date-time
             * @description When a later version replaced it; null for the latest.
             * @example 2026-11-21T09:30:00.000Z
             */
            replacedAt: string | null;
            /** @description Hash of its file, in hexadecimal. */
            sha256: string;
            /** @description Bytes of its file. */
            sizeBytes: number;
            /**
             * @description Replaced versions are `ready` and can be read.
             * @enum {string}
             */
            status: "queued" | "parsing" | "embedding" | "indexing" | "ready" | "failed";
            /** @description Code points of its text. */
            textLength: number | null;
            /** @description Title of the version: of a replaced one, its last title. */
            title: string | null;
            /** @description Version number. Versions that were never `ready` are not listed. */
            version: number;
        };
        DocumentVersionListReply: {
            data: components["schemas"]["DocumentVersion"][];
            meta: components["schemas"]["PageMeta"];
        };
        DocumentVersionReply: {
            data: components["schemas"]["DocumentVersion"];
        };
        /** @description The embedding model does not answer at the moment. */
        EmbeddingUnavailableError: components["schemas"]["Error"] & {
            /** @constant */
            code: "embedding_unavailable";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "embedding_unavailable";
        };
        /** @description Every error has this shape. */
        Error: {
            /**
             * @description Error code for programs, from a fixed list.
             * @enum {string}
             */
            code: "validation_failed" | "malformed_json" | "malformed_multipart" | "malformed_url" | "malformed_request" | "unauthenticated" | "sign_in_required" | "sign_in_refused" | "email_not_verified" | "sign_up_closed" | "origin_forbidden" | "permission_missing" | "plan_required" | "workspace_deleted" | "workspace_limit" | "sandbox_forbidden" | "address_not_allowed" | "storage_limit" | "budget_exceeded" | "member_limit" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "already_exists" | "already_member" | "already_invited" | "limit_reached" | "concurrent_change" | "agent_paused" | "agent_deleted" | "run_in_progress" | "run_is_part" | "price_unknown" | "document_in_progress" | "document_not_failed" | "version_without_text" | "not_in_trash" | "sync_in_progress" | "sync_ended" | "nothing_to_sync" | "collection_taken" | "collection_deleted" | "upload_ended" | "upload_offset" | "upload_busy" | "invitation_ended" | "membership_ended" | "key_revoked" | "member_required" | "second_factor_off" | "mail_unavailable" | "webhook_disabled" | "event_expired" | "integration_removed" | "last_owner" | "delete_guard" | "conversation_busy" | "idempotency_in_progress" | "idempotency_interrupted" | "integration_not_configured" | "connection_not_active" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "expectation_failed" | "checksum_mismatch" | "idempotency_mismatch" | "address_forbidden" | "vector_unavailable" | "credentials_rejected" | "rate_limited" | "upload_limit" | "run_ended" | "run_limit" | "internal_error" | "unavailable" | "embedding_unavailable" | "integration_unreachable";
            /** @description Ids, numbers and states that the message names; the fields depend on `code`. Often empty. */
            details: {
                [key: string]: unknown;
            };
            /** @description One entry for each invalid field; may be empty. */
            errors: components["schemas"]["FieldError"][];
            /** @description A summary for people. */
            message: string;
            /** @description Also in the header X-Request-Id and in the log. */
            requestId: string;
            /** @description Whether the same request may succeed later. */
            retryable: boolean;
            /** @description The HTTP status. */
            statusCode: number;
        };
        /** @description What happened, as it is listed and as it is delivered. The shape of `data` depends on `type`; more types may come. */
        Event: components["schemas"]["EventOfRun"] | components["schemas"]["EventOfDocument"] | components["schemas"]["EventOfCollection"] | components["schemas"]["EventOfConnection"] | components["schemas"]["EventOfConnectionSync"] | components["schemas"]["EventOfMember"] | components["schemas"]["EventOfKey"] | components["schemas"]["EventOfLimit"] | components["schemas"]["EventOfWebhook"];
        /** @description Author of the change. */
        EventActor: {
            /** @description Key of the author. */
            keyId: string | null;
            /**
             * @description Kind of author.
             * @enum {string}
             */
            kind: "key" | "person" | "operator" | "system";
            /** @description The person that the author acted for. */
            userId: string | null;
        };
        /** @description The event is not kept any more. */
        EventExpiredError: components["schemas"]["Error"] & {
            /** @constant */
            code: "event_expired";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "event_expired";
        };
        EventExpiredErrors: components["schemas"]["EventExpiredError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"];
        EventListReply: {
            data: components["schemas"]["Event"][];
            meta: components["schemas"]["PageMeta"];
        };
        EventOfCollection: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description A deleted collection. */
            data: {
                actor: components["schemas"]["EventActor"];
                /** @description Number of documents deleted with it. */
                documentCount: number;
                /** @description True if it was permanently erased instead of moved to the trash. */
                erased: boolean;
                /**
                 * @description The collection.
                 * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                id: string;
            };
            /**
             * @description Environment of the event.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Id of the event; ids sort in the order of time.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "collection.deleted";
            /**
             * @description Workspace of the event.
             * @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            workspaceId: string;
        };
        EventOfConnection: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description The connection without its credentials. */
            data: {
                actor: components["schemas"]["EventActor"];
                /** @description Why it failed; null if it did not. */
                errorCode: string | null;
                /**
                 * @description The connection.
                 * @example con_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                id: string;
                /** @description The integration of the catalog. */
                integrationId: string;
                /**
                 * @description Status at the time of the event.
                 * @enum {string}
                 */
                status: "active" | "needs_reauth" | "failed" | "deleted";
            };
            /**
             * @description Environment of the event.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Id of the event; ids sort in the order of time.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted";
            /**
             * @description Workspace of the event.
             * @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            workspaceId: string;
        };
        EventOfConnectionSync: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Result of the sync. */
            data: {
                actor: components["schemas"]["EventActor"];
                added: number;
                changed: number;
                /**
                 * @description Collection of the documents.
                 * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                collectionId: string;
                deleted: number;
                /** @description Why it failed; null if it did not. */
                errorCode: string | null;
                failed: number;
                /**
                 * @description The connection.
                 * @example con_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                id: string;
                /** @description The integration of the catalog. */
                integrationId: string;
                /**
                 * @description How it ended.
                 * @enum {string}
                 */
                status: "succeeded" | "failed";
                /**
                 * @description Id of the sync; see GET /integrations/:id/syncs/:syncId.
                 * @example csy_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                syncId: string;
                unchanged: number;
            };
            /**
             * @description Environment of the event.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Id of the event; ids sort in the order of time.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "connection.sync_succeeded" | "connection.sync_failed";
            /**
             * @description Workspace of the event.
             * @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            workspaceId: string;
        };
        EventOfDocument: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description The document without its texts. */
            data: {
                /** @description Who deleted it; null unless it was deleted. */
                actor: components["schemas"]["EventActor"] | null;
                /**
                 * @description The collection that it belongs to.
                 * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                collectionId: string;
                /** @description True if it was permanently erased instead of moved to the trash. */
                erased: boolean;
                /** @description Why it failed; null if it did not. */
                errorCode: string | null;
                /**
                 * @description The document; GET /knowledge/documents/:id has its name.
                 * @example doc_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                id: string;
                /**
                 * @description Status at the time of the event.
                 * @enum {string}
                 */
                status: "ready" | "failed" | "deleted";
                /** @description Version of the document. */
                version: number;
            };
            /**
             * @description Environment of the event.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Id of the event; ids sort in the order of time.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "document.ready" | "document.failed" | "document.deleted";
            /**
             * @description Workspace of the event.
             * @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            workspaceId: string;
        };
        EventOfKey: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description The key. */
            data: {
                actor: components["schemas"]["EventActor"];
                /**
                 * @description The key; never its secret.
                 * @example key_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                id: string;
                /**
                 * @description User that the key acts for.
                 * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                userId: string;
            };
            /**
             * @description Environment of the event.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Id of the event; ids sort in the order of time.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "key.created" | "key.rotated" | "key.revoked";
            /**
             * @description Workspace of the event.
             * @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            workspaceId: string;
        };
        EventOfLimit: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description The limit and its usage. */
            data: {
                /**
                 * @description The agent with the budget; null for other limits.
                 * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                agentId: string | null;
                /**
                 * @description The limit that was reached.
                 * @enum {string}
                 */
                limit: "storage" | "agent_budget" | "workspace_budget";
                /** @description The limit, in bytes or in US dollars per month. */
                max: number;
                /** @description Usage when a request was refused. */
                used: number;
            };
            /**
             * @description Environment of the event.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Id of the event; ids sort in the order of time.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "limit.reached";
            /**
             * @description Workspace of the event.
             * @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            workspaceId: string;
        };
        EventOfMember: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description The member at the time of the event. */
            data: {
                actor: components["schemas"]["EventActor"];
                /**
                 * @description The member; GET /workspace/members/:id has the name.
                 * @example mem_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                id: string;
                /**
                 * @description Role before the change; null if it did not change.
                 * @enum {string|null}
                 */
                previousRole: "owner" | "admin" | "member" | "viewer" | null;
                /** @enum {string} */
                role: "owner" | "admin" | "member" | "viewer";
                /**
                 * @description The person.
                 * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                userId: string;
            };
            /**
             * @description Environment of the event.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Id of the event; ids sort in the order of time.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "member.joined" | "member.changed" | "member.removed";
            /**
             * @description Workspace of the event.
             * @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            workspaceId: string;
        };
        EventOfRun: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description The run with its answer, without its steps. */
            data: {
                /**
                 * @description The agent that ran.
                 * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                agentId: string;
                /**
                 * @description The conversation that it belongs to.
                 * @example cnv_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                conversationId: string;
                /**
                 * Format: date-time
                 * @description When the run was requested.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                createdAt: string;
                /** @description Why it failed; null if it did not. */
                errorCode: string | null;
                /**
                 * Format: date-time
                 * @description When the run ended; null while it waits.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                finishedAt: string | null;
                /**
                 * @description The run; GET /runs/:id has its steps and citations.
                 * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                id: string;
                /**
                 * @description The run's metadata; null once the run is deleted, and for readers who may not read it.
                 * @example {
                 *       "department": "support",
                 *       "year": 2026
                 *     }
                 */
                metadata: {
                    [key: string]: string | number | boolean | null | string[];
                } | null;
                /** @description The run's answer; null where it has none, where it is `truncated`, and where `metadata` is. */
                output: string | null;
                /** @description Calls of a waiting run that need an approval now; none where it is `truncated`. */
                pendingApprovals: components["schemas"]["PendingApproval"][];
                /** @description Calls of a waiting run that need a result now; none where it is `truncated`. */
                pendingToolCalls: components["schemas"]["PendingToolCall"][];
                /**
                 * @description Status at the time of the event.
                 * @enum {string}
                 */
                status: "succeeded" | "failed" | "cancelled" | "waiting";
                /** @description The answer as a value that fits `responseSchema`; null where `output` is, or without a schema. */
                structuredOutput: unknown;
                /** @description True if the answer or the calls were left out because they and the metadata have more than 65536 characters; so is metadata that has more by itself. GET /runs/:id has all. */
                truncated: boolean;
                /** @description Usage up to the event. */
                usage: {
                    /** @description Cost in US dollars; null if the price is unknown. */
                    costUsd: number | null;
                    inputTokens: number;
                    outputTokens: number;
                };
            };
            /**
             * @description Environment of the event.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Id of the event; ids sort in the order of time.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting";
            /**
             * @description Workspace of the event.
             * @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            workspaceId: string;
        };
        EventOfWebhook: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description The endpoint. */
            data: {
                /**
                 * @description The endpoint.
                 * @example whk_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                id: string;
                /**
                 * @description `gone`: it answered 410. `failing`: nothing has been delivered for five days. `creator_lost_access`: the member who made it was removed or may no longer manage webhooks. Null for a test.
                 * @enum {string|null}
                 */
                reason: "gone" | "failing" | "creator_lost_access" | null;
            };
            /**
             * @description Environment of the event.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Id of the event; ids sort in the order of time.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook.disabled" | "webhook.test";
            /**
             * @description Workspace of the event.
             * @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            workspaceId: string;
        };
        EventReply: {
            data: components["schemas"]["Event"];
        };
        Feedback: {
            /** @description Comment on the answer; null if none was given. */
            comment: string | null;
            /**
             * Format: date-time
             * @description When the feedback was given.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Your id of the end user who gave it; null if none was given. */
            endUserId: string | null;
            /**
             * @description Rating of the answer.
             * @enum {string}
             */
            rating: "positive" | "negative";
        };
        FieldChange: {
            /** @description Its value after. */
            after: unknown;
            /** @description Its value before. */
            before: unknown;
            /** @description The field that differs. */
            field: string;
        };
        FieldError: {
            /** @description The invalid field; a dotted path if it is nested. */
            field: string;
            /**
             * @description The number of the rule, if it has one.
             * @example 100000
             */
            limit?: number;
            /** @description What is wrong with it, for people. */
            message: string;
            /**
             * @description For programs: the keyword of JSON Schema that does not hold, such as `maxLength` or `required`; also `maxDepth` and `maxValues` for a body. Left out if the fault is none of the schema.
             * @example maxLength
             */
            rule?: string;
        };
        ForbiddenErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["PermissionMissingError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["WorkspaceDeletedError"];
        FoundPassage: {
            /** @description Id of the chunk that the search found. */
            chunkId: string;
            /** @description The document that holds the passage. */
            documentId: string;
            /** @description The version of the document that was read. */
            documentVersion: number;
            /** @description End of the passage, exclusive. */
            endOffset: number;
            /**
             * @description The marker by which the answer cites it.
             * @example [1]
             */
            marker: string;
            /** @description Page number; null for documents without pages. */
            page: number | null;
            /** @description Start of the passage, in code points of the document's text. */
            startOffset: number;
            /** @description The document's words; left out for documents attached to the prompt. */
            text?: string;
            /** @description Title of the document. */
            title: string;
        };
        GetModelProviderForbiddenErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["PermissionMissingError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["SandboxForbiddenError"] | components["schemas"]["WorkspaceDeletedError"];
        IdempotencyConflictErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"];
        /** @description The first request with this Idempotency-Key is still in progress. */
        IdempotencyInProgressError: components["schemas"]["Error"] & {
            /** @constant */
            code: "idempotency_in_progress";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "idempotency_in_progress";
        };
        /** @description The first request with this Idempotency-Key was carried out, but its reply was lost. */
        IdempotencyInterruptedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "idempotency_interrupted";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "idempotency_interrupted";
        };
        /** @description This Idempotency-Key was used with another request. */
        IdempotencyMismatchError: components["schemas"]["Error"] & {
            /** @constant */
            code: "idempotency_mismatch";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "idempotency_mismatch";
        };
        ImagePart: {
            /**
             * @description The image in base64. The whole request takes at most 2 MB; send a larger image as a document.
             * @example iVBORw0KGgo=
             */
            data: string;
            /**
             * @description Media type of the image.
             * @enum {string}
             */
            mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
            /**
             * @description An image. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image";
        };
        ImportCollectionForm: {
            /**
             * Format: binary
             * @description The file.
             */
            file: string;
            /** @description Name of the new collection; by default the name in the archive. */
            name?: string;
        };
        /** @description The operator has not configured this integration. */
        IntegrationNotConfiguredError: components["schemas"]["Error"] & {
            /** @constant */
            code: "integration_not_configured";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "integration_not_configured";
        };
        IntegrationRemovedDetails: {
            /**
             * @description The integration.
             * @example http
             */
            integrationId: string;
        };
        /** @description This server does not offer the integration any more. */
        IntegrationRemovedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "integration_removed";
            details: components["schemas"]["IntegrationRemovedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "integration_removed";
        };
        /** @description The service could not be reached. */
        IntegrationUnreachableError: components["schemas"]["Error"] & {
            /** @constant */
            code: "integration_unreachable";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "integration_unreachable";
        };
        IntegrationUnreachableErrors: components["schemas"]["IntegrationUnreachableError"] | components["schemas"]["UnavailableError"];
        /** @description Something went wrong on our side. */
        InternalError: components["schemas"]["Error"] & {
            /** @constant */
            code: "internal_error";
        };
        InvalidFormErrors: components["schemas"]["MalformedMultipartError"] | components["schemas"]["ValidationFailedError"];
        InvalidJsonRequestErrors: components["schemas"]["MalformedJsonError"] | components["schemas"]["ValidationFailedError"];
        Invitation: {
            /**
             * Format: date-time
             * @description When the invitation was made.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description `queued`, `sent` or `failed`: by mail. `link`: no mail server is configured, so pass on `acceptUrl` yourself. `simulated`: made by a test key; no mail is sent, and accepting it makes no member.
             * @enum {string}
             */
            delivery: "queued" | "sent" | "failed" | "link" | "simulated";
            /** @description Why the mail could not be sent. */
            deliveryError: string | null;
            /** @description Invited address, in lower case. */
            email: string;
            /**
             * Format: date-time
             * @description When a pending invitation expires.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Id of the invitation.
             * @example inv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description Id of the inviting user; null for the operator.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            invitedBy: string | null;
            /** @description Personal message, shown with the invitation. */
            message: string | null;
            /**
             * @description Role after acceptance.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer";
            /**
             * @description Only a pending invitation can be accepted; it expires after seven days.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "revoked" | "expired";
            /** @description Teams after acceptance. */
            teamIds: string[];
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        InvitationAcceptance: {
            /** @description Name of the person; required if the address is new to this server. */
            name?: string;
            /** @description Last part of the invitation link. */
            token: string;
        };
        InvitationEndedDetails: {
            /**
             * @description Its status.
             * @example accepted
             */
            status: string;
        };
        /** @description The invitation is answered, revoked or expired. */
        InvitationEndedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "invitation_ended";
            details: components["schemas"]["InvitationEndedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invitation_ended";
        };
        InvitationEndedErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["InvitationEndedError"];
        InvitationListReply: {
            data: components["schemas"]["Invitation"][];
            meta: components["schemas"]["PageMeta"];
        };
        InvitationOrPreviewReply: {
            data: components["schemas"]["Invitation"] | components["schemas"]["Preview"];
        };
        InvitationReply: {
            data: components["schemas"]["Invitation"];
        };
        InviteMemberConflictErrors: components["schemas"]["AlreadyInvitedError"] | components["schemas"]["AlreadyMemberError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"];
        IssuedInvitation: {
            /**
             * Format: uri
             * @description Link for the invited person. Only this reply has it; null if the link is mailed. A replayed reply leaves it out.
             */
            acceptUrl?: string | null;
            /**
             * Format: date-time
             * @description When the invitation was made.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description `queued`, `sent` or `failed`: by mail. `link`: no mail server is configured, so pass on `acceptUrl` yourself. `simulated`: made by a test key; no mail is sent, and accepting it makes no member.
             * @enum {string}
             */
            delivery: "queued" | "sent" | "failed" | "link" | "simulated";
            /** @description Why the mail could not be sent. */
            deliveryError: string | null;
            /** @description Invited address, in lower case. */
            email: string;
            /**
             * Format: date-time
             * @description When a pending invitation expires.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Id of the invitation.
             * @example inv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description Id of the inviting user; null for the operator.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            invitedBy: string | null;
            /** @description Personal message, shown with the invitation. */
            message: string | null;
            /**
             * @description Role after acceptance.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer";
            /**
             * @description Only a pending invitation can be accepted; it expires after seven days.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "revoked" | "expired";
            /** @description Teams after acceptance. */
            teamIds: string[];
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        IssuedInvitationReply: {
            data: components["schemas"]["IssuedInvitation"];
        };
        KeyRevokedDetails: {
            /**
             * @description The key.
             * @example key_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            keyId: string;
        };
        /** @description The key is revoked. */
        KeyRevokedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "key_revoked";
            details: components["schemas"]["KeyRevokedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "key_revoked";
        };
        KeyRevokedErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["KeyRevokedError"];
        /** @description A workspace needs at least one owner. */
        LastOwnerError: components["schemas"]["Error"] & {
            /** @constant */
            code: "last_owner";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "last_owner";
        };
        LastOwnerErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["LastOwnerError"];
        LastRun: {
            /**
             * @description The agent.
             * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            agentId: string;
            run: {
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                createdAt: string;
                /**
                 * @description Id of its newest run.
                 * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                id: string;
                /** @enum {string} */
                status: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled";
            } | null;
        };
        LastRunListReply: {
            data: components["schemas"]["LastRun"][];
            meta: components["schemas"]["PageMeta"];
        };
        LeaveWorkspaceConflictErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["LastOwnerError"] | components["schemas"]["MembershipEndedError"];
        LeaveWorkspaceForbiddenErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["PermissionMissingError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["SandboxForbiddenError"] | components["schemas"]["WorkspaceDeletedError"];
        LimitReachedDetails: {
            /**
             * @description How many there may be.
             * @example 1000
             */
            limit: number;
            /**
             * @description What is limited.
             * @example agents
             */
            resource: string;
        };
        /** @description The limit of these records is reached. */
        LimitReachedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "limit_reached";
            details: components["schemas"]["LimitReachedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "limit_reached";
        };
        LimitReachedErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["LimitReachedError"];
        ListedRun: {
            /**
             * @description The agent that ran.
             * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            agentId: string;
            /** @description Revision of the agent that the run used. */
            agentRevision: number;
            /** @description Documents that were given with the prompt. */
            attachments: string[];
            /** @description Sources of the answer, in the order of the output. */
            citations?: components["schemas"]["Citation"][];
            /** @description The only collections that its runs read: those asked for that the conversation or the calling run allows. Null for no such limit. */
            collectionIds: string[] | null;
            /**
             * @description Send it with the next prompt to continue the conversation.
             * @example cnv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            conversationId: string;
            /**
             * Format: date-time
             * @description When the run was requested.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description From `startedAt` to `finishedAt`, in milliseconds; null if one of them is. */
            durationMs: number | null;
            /** @description Your id of the end user, as given with the prompt; null if none was given. */
            endUserId: string | null;
            /** @description Null unless the run failed. */
            error: {
                /**
                 * @description Why the run failed.
                 * @enum {string}
                 */
                code: "model_not_configured" | "model_unauthorized" | "model_not_found" | "model_rate_limited" | "model_quota_exceeded" | "model_unavailable" | "model_timeout" | "model_request_rejected" | "model_invalid_response" | "context_too_long" | "content_filtered" | "output_truncated" | "max_steps" | "max_cost" | "budget_exceeded" | "output_invalid" | "attachment_unavailable" | "run_timeout" | "tool_error" | "run_interrupted" | "approval_expired" | "tool_result_expired" | "access_revoked" | "internal_error";
                /** @description Description of the error. */
                message: string;
                /** @description Whether the same run may succeed later. */
                retryable: boolean;
            } | null;
            /** @description Feedback on the answer; null if there is none. */
            feedback: components["schemas"]["Feedback"] | null;
            /** @description Only documents that match are read: the filter asked for, joined with that of the conversation or the calling run. Null for no filter. */
            filter: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-21T09:30:00.000Z
             */
            finishedAt: string | null;
            /** @description Functions that the request named; those of the agent are in its revision. */
            functions: components["schemas"]["AgentFunction"][];
            /**
             * @description Id of the run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /** @description Your own data, as given with the prompt. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Model that the run used; null until it starts. */
            model: string | null;
            /** @description How the model writes, from the agent and the request; null for the provider's default. Those that the model does not take are left out. */
            modelParameters: {
                /**
                 * @description How much the model thinks before it answers. Models differ in the levels that they have.
                 * @enum {string|null}
                 */
                reasoningEffort: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
                /** @description Number with which a provider tries to give the same answer to the same prompt. */
                seed: number | null;
                /**
                 * @description Texts at which the model stops writing; they are not part of the answer.
                 * @example []
                 */
                stop: string[];
                /** @description Sampling temperature: low values give similar answers each time. Some providers take at most 1. */
                temperature: number | null;
                /** @description Share of the most probable tokens from which the model picks. Set this or `temperature`. */
                topP: number | null;
            };
            /** @description The answer; null until there is one. */
            output: string | null;
            /**
             * @description The run that started this one with `call_agent`; null if none did.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            parentRunId: string | null;
            /** @description Tool calls that wait for an approval, including those of its parts; decide with POST /runs/:id/approvals. */
            pendingApprovals: components["schemas"]["PendingApproval"][];
            /** @description Calls of functions that wait for the result of your program, including those of its parts; send it with POST /runs/:id/tool-results. */
            pendingToolCalls: components["schemas"]["PendingToolCall"][];
            /** @description The prompt; of `messages` the words of the last user message. */
            prompt: string;
            /**
             * @description The run whose inputs it repeats; null if it is not a rerun.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            rerunOf: string | null;
            /** @description The requested JSON Schema; null if there was none. */
            responseSchema: unknown;
            /**
             * Format: date-time
             * @description When work on it began; null if it has not.
             * @example 2026-11-21T09:30:00.000Z
             */
            startedAt: string | null;
            /**
             * @description Every run ends as `succeeded`, `failed` or `cancelled`. A `waiting` run has tool calls that wait for an approval, or for a result of your program.
             * @enum {string}
             */
            status: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled";
            /** @description Steps of the run, in order. */
            steps?: components["schemas"]["RunStep"][];
            /** @description The answer as a value that fits `responseSchema`; null if no schema was given. */
            structuredOutput: unknown;
            /**
             * @description Whether the model calls functions and tools. `auto` (the default): as it likes. `none`: not at all. `required`: its first answer is a call. `{"function": "NAME"}`: its first answer calls this one. After the first answer the model is free.
             * @example auto
             */
            toolChoice: ("auto" | "none" | "required") | {
                /**
                 * @description Name of a function or tool of the run.
                 * @example look_up_order
                 */
                function: string;
            };
            /** @description What the run used. */
            usage: {
                /** @description Cost in US dollars: 0 for the built-in models, null if the model's price is unknown. */
                costUsd: number | null;
                /** @description Input tokens of all steps. */
                inputTokens: number;
                /** @description True if a model call was cut short. Its tokens are then estimated at four characters per token. */
                isEstimate: boolean;
                /** @description Output tokens of all steps. */
                outputTokens: number;
            };
            /** @description Values of the agent's variables, as given with the prompt. */
            variables: {
                [key: string]: string;
            };
        };
        ListedRunListReply: {
            data: components["schemas"]["ListedRun"][];
            meta: components["schemas"]["PageMeta"];
        };
        ListModelProvidersForbiddenErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["PermissionMissingError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["SandboxForbiddenError"] | components["schemas"]["WorkspaceDeletedError"];
        /** @description The body is not valid JSON. */
        MalformedJsonError: components["schemas"]["Error"] & {
            /** @constant */
            code: "malformed_json";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "malformed_json";
        };
        MalformedJsonErrors: components["schemas"]["MalformedJsonError"] | components["schemas"]["MalformedMultipartError"] | components["schemas"]["ValidationFailedError"];
        /** @description The body is not valid multipart/form-data. */
        MalformedMultipartError: components["schemas"]["Error"] & {
            /** @constant */
            code: "malformed_multipart";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "malformed_multipart";
        };
        ManifestPage: {
            /** @description A page of the manifest of your source. Each external id may appear once over all pages. */
            entries: components["schemas"]["SyncEntry"][];
        };
        Me: {
            /** @enum {string} */
            environment: "live" | "test";
            /** @description The API key; null for a person. */
            key: {
                /** @description The only agents it reaches; null for all. */
                agentIds: string[] | null;
                /** @description Where it works from; null for anywhere. */
                allowedAddresses: string[] | null;
                /** @description The only collections it reaches; null for all. */
                collectionIds: string[] | null;
                /**
                 * Format: date-time
                 * @description When it stops working; null for never.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                expiresAt: string | null;
                /** @description The only documents it reaches are those that match; null for all. */
                filter: {
                    [key: string]: unknown;
                } | null;
                /** @example key_01kajz4v7qf3x8m2c9t5b6n0rw */
                id: string;
                /** @description Its name, for people. */
                name: string;
            } | null;
            /**
             * @description An API key, or a person who is signed in.
             * @enum {string}
             */
            kind: "key" | "person";
            /** @description What the caller may do now: for a key, its permissions that its person still has. */
            permissions: ("agents:read" | "agents:run" | "agents:write" | "knowledge:read" | "knowledge:write" | "integrations:read" | "integrations:write" | "workspace:write" | "members:read" | "members:write" | "teams:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "usage:read" | "audit:read")[];
            /**
             * @description Role of that person or service account in the workspace.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer";
            /**
             * @description The person, or whom the key acts for.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            userId: string;
            workspace: {
                /** @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw */
                id: string;
                name: string;
                /** @enum {string} */
                plan: "free" | "starter" | "professional" | "enterprise";
                slug: string;
            };
        };
        Member: {
            /** @description E-mail address, in lower case. */
            email: string;
            /**
             * @description Id of the membership.
             * @example mem_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * Format: date-time
             * @description When the member joined the workspace.
             * @example 2026-11-21T09:30:00.000Z
             */
            joinedAt: string;
            /**
             * @description A person or a service account.
             * @enum {string}
             */
            kind: "person" | "service";
            /**
             * Format: date-time
             * @description Last use of a key or of the console; null if never.
             * @example 2026-11-21T09:30:00.000Z
             */
            lastActiveAt: string | null;
            /** @description Name of the person. */
            name: string;
            /**
             * @description Role of the member: owner, admin, member or viewer.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer";
            /** @description Teams that the member belongs to. */
            teamIds: string[];
            /**
             * @description Id of the person, the same in each workspace.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            userId: string;
        };
        MemberChange: {
            /**
             * @description The new role; at most the caller's own.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer";
        };
        MemberLimitDetails: {
            /**
             * @description Members that the plan allows.
             * @example 5
             */
            limit: number;
        };
        /** @description The plan's limit of members is reached. */
        MemberLimitError: components["schemas"]["Error"] & {
            /** @constant */
            code: "member_limit";
            details: components["schemas"]["MemberLimitDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "member_limit";
        };
        MemberLimitErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["MemberLimitError"] | components["schemas"]["PermissionMissingError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["WorkspaceDeletedError"];
        MemberListReply: {
            data: components["schemas"]["Member"][];
            meta: components["schemas"]["PageMeta"];
        };
        MemberReply: {
            data: components["schemas"]["Member"];
        };
        /** @description Only a member can do this. */
        MemberRequiredError: components["schemas"]["Error"] & {
            /** @constant */
            code: "member_required";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "member_required";
        };
        MemberRequiredErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["MemberRequiredError"];
        /** @description The caller is no member of the workspace any more. */
        MembershipEndedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "membership_ended";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "membership_ended";
        };
        MembershipEndedErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["MembershipEndedError"];
        MeReply: {
            data: components["schemas"]["Me"];
        };
        /** @description Something that was said, or the result of a function; `role` tells which. */
        Message: components["schemas"]["SystemMessageInput"] | components["schemas"]["UserMessage"] | components["schemas"]["AssistantMessageInput"] | components["schemas"]["ToolMessageInput"];
        MessagePart: components["schemas"]["TextPartInput"] | components["schemas"]["ImagePart"] | components["schemas"]["DocumentPartInput"];
        MessageToolCall: {
            /**
             * @description Arguments of the call.
             * @example {
             *       "number": 7
             *     }
             */
            input: {
                [key: string]: unknown;
            };
            /**
             * @description Name of the function that was called.
             * @example look_up_order
             */
            name: string;
            /**
             * @description Id of the call, unique among the messages.
             * @example call_1
             */
            toolCallId: string;
        };
        MessageToolCallInput: {
            /**
             * @description Arguments of the call.
             * @example {
             *       "number": 7
             *     }
             */
            input: {
                [key: string]: unknown;
            };
            /**
             * @description Name of the function that was called.
             * @example look_up_order
             */
            name: string;
            /**
             * @description Id of the call, unique among the messages.
             * @example call_1
             */
            toolCallId: string;
        };
        MissingEntry: {
            externalId: string;
            /**
             * @description Why it was asked for.
             * @enum {string}
             */
            reason: "new" | "changed";
            /** @description As in the manifest. */
            sha256: string;
        };
        MissingEntryListReply: {
            data: components["schemas"]["MissingEntry"][];
            meta: components["schemas"]["PageMeta"];
        };
        Model: {
            /** @description Size of its context window, in tokens; null if unknown or unlimited. */
            contextTokens: number | null;
            /** @description Notes about the model; often empty. */
            description: string;
            /** @description Name of the model. An agent's `model` is one for `chat`. */
            id: string;
            /** @description Whether `default` means this model. */
            isDefault: boolean;
            /** @description List price; null if unknown, and then the cost of its runs is null too. */
            price: {
                cachedInputUsdPerMillionTokens: number;
                inputUsdPerMillionTokens: number;
                outputUsdPerMillionTokens: number;
            } | null;
            /** @description Who serves it; `atrium` for the built-in ones. */
            provider: string;
            /** @description What it is for: `chat` for agents, `embedding` for the vectors of search, `rerank` for the order of what search finds. Empty if unknown. */
            purposes: ("chat" | "embedding" | "rerank")[];
            /** @description Whether a prompt may contain images; null if unknown. */
            seesImages: boolean | null;
        };
        ModelListReply: {
            data: components["schemas"]["Model"][];
            meta: components["schemas"]["PageMeta"];
        };
        ModelProvider: {
            /** @description Last four characters of the key; empty if the key is too short to show any; null if there is no key. */
            apiKeyEnding: string | null;
            /** @description Base URL of the API; null for the provider's standard address. */
            baseUrl: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @example mpr_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /**
             * @description Protocol: `openai` (responses), `anthropic` (messages), `google` (Gemini), or `openai_compatible` (chat completions, as in Ollama, vLLM, Mistral, OpenRouter and most others).
             * @enum {string}
             */
            kind: "openai" | "anthropic" | "google" | "openai_compatible";
            /** @description Models to list in GET /models, with their properties. Agents can use other models of the provider too. If empty, the models of an `openai_compatible` server come from the server. */
            models: components["schemas"]["ProviderModel"][];
            /**
             * @description Unique in the workspace: its models are named `<name>/<model>`. `openai`, `anthropic` and `google` are the operator’s.
             * @example acme-gpu
             */
            name: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        ModelProviderChange: {
            /** @description API key: printable ASCII characters without spaces. Stored encrypted and never returned. Only your own server may have none. */
            apiKey?: string | null;
            /**
             * @description Base URL of the API, usually with a version. Required for `openai_compatible`, optional for `anthropic`, refused for the others. Private addresses are refused unless the operator allows them.
             * @example https://models.example.com/v1
             */
            baseUrl?: string | null;
            /** @description Models to list in GET /models, with their properties. Agents can use other models of the provider too. If empty, the models of an `openai_compatible` server come from the server. */
            models?: components["schemas"]["ProviderModelInput"][];
            /**
             * @description Unique in the workspace: its models are named `<name>/<model>`. `openai`, `anthropic` and `google` are the operator’s.
             * @example acme-gpu
             */
            name?: string;
        };
        ModelProviderListReply: {
            data: components["schemas"]["ModelProvider"][];
            meta: components["schemas"]["PageMeta"];
        };
        ModelProviderReply: {
            data: components["schemas"]["ModelProvider"];
        };
        ModelProviderTest: {
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            checkedAt: string;
            /** @description How long the call took. */
            durationMs: number;
            /** @description The error, with the codes of runs; null if there is none. */
            error: {
                code: string;
                message: string;
                retryable: boolean;
            } | null;
            /** @description The model that was called, named as in an agent's `model`. */
            model: string;
            /** @description Whether the model answered. */
            ok: boolean;
        };
        ModelProviderTestReply: {
            data: components["schemas"]["ModelProviderTest"];
        };
        ModelProviderTestRequest: {
            /**
             * @description Name of the model at the provider. By default the first of the provider's `models`, or else one that the server or the catalog lists.
             * @example llama-4-maverick
             */
            model?: string;
        };
        ModelStep: {
            /** @description Duration, in milliseconds. */
            durationMs: number;
            input: components["schemas"]["ModelStepInput"];
            /** @description Name of the model. */
            name: string;
            output: components["schemas"]["ModelStepOutput"];
            /**
             * Format: date-time
             * @description When the step began.
             * @example 2026-11-21T09:30:00.000Z
             */
            startedAt: string;
            /**
             * @description A call of the model. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "model";
        };
        /** @description What the model was sent. */
        ModelStepInput: {
            /** @description Number of messages that it read. */
            messages?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description What the model answered: text and calls of tools, or an error. */
        ModelStepOutput: {
            /** @description Why the call came to nothing, or was cut short. */
            error?: {
                /**
                 * @description Why the call failed.
                 * @enum {string}
                 */
                code: "model_not_configured" | "model_unauthorized" | "model_not_found" | "model_rate_limited" | "model_quota_exceeded" | "model_unavailable" | "model_timeout" | "model_request_rejected" | "model_invalid_response" | "context_too_long" | "content_filtered" | "output_truncated" | "max_steps" | "max_cost" | "budget_exceeded" | "output_invalid" | "attachment_unavailable" | "run_timeout" | "tool_error" | "run_interrupted" | "approval_expired" | "tool_result_expired" | "access_revoked" | "internal_error";
                /** @description Description of the error. */
                message: string;
            };
            /** @description Why it stopped, such as `stop`; null if it was cut short. */
            finish?: string | null;
            /** @description What else is to be known of the result. */
            note?: string;
            /** @description The part of an answer that did not fit, which the model then corrected. */
            rejected?: string;
            /** @description What the model wrote. */
            text?: string;
            /** @description Calls of tools that it asked for. */
            toolCalls?: {
                /** @description Arguments of the call, as the model wrote them. */
                arguments: unknown;
                /** @description The model's own id of the call. */
                id: string;
                /** @description Name of the tool. */
                name: string;
            }[];
            usage?: components["schemas"]["StepUsage"];
        } & {
            [key: string]: unknown;
        };
        NewAgent: {
            /**
             * @description Who can access it: everyone in the `workspace`, or only owners, admins and the `teams` in `teamIds`. For everyone else it does not exist.
             * @enum {string}
             */
            access?: "workspace" | "teams";
            /**
             * @description Agents that the tool `call_agent` may call.
             * @example []
             */
            agentIds?: string[];
            /**
             * @description Tools in `tools` whose calls wait for an approval.
             * @example []
             */
            approvalTools?: string[];
            /** @description Collections that the agent searches; empty for all collections that the key running it can access. */
            collectionIds?: string[];
            /**
             * @description Connections for the tools of integrations. A connection is not used for a key or member without access to the collection that holds its documents.
             * @example []
             */
            connectionIds?: string[];
            /** @description What the agent is for. */
            description?: string | null;
            /**
             * @description The model to use if `model` is not configured or fails, except with `model_request_rejected`; null for none.
             * @example extractive
             */
            fallbackModel?: string | null;
            /**
             * @description Functions of your own program that the model may call. A run that waits for their results shows the calls in `pendingToolCalls`.
             * @example []
             */
            functions?: components["schemas"]["AgentFunctionInput"][];
            /**
             * @description Hosts that the tool `http_request` may call: a name (`api.example.com`), with a port (`api.example.com:8443`), or all subdomains (`*.example.com`). IP addresses are refused.
             * @example [
             *       "api.example.com"
             *     ]
             */
            httpHosts?: string[];
            /** @description System prompt of the model. `{{name}}` is replaced by the variable of that name. */
            instructions?: string;
            /** @description Limits of its runs. Replaces all five: a limit that is null or left out is removed. */
            limits?: {
                /** @description Cost in US dollars after which a run makes no more model calls. */
                maxCostUsd?: number | null;
                /** @description Budget for the agent's runs in a calendar month (UTC), in US dollars. */
                maxCostUsdPerMonth?: number | null;
                /** @description Maximum number of tokens that the model writes in one call. */
                maxOutputTokens?: number | null;
                /** @description Maximum number of model calls in a run. */
                maxSteps?: number | null;
                /** @description Maximum duration of a run, in seconds. */
                timeoutSeconds?: number | null;
            };
            /**
             * @description `default` (the server's default), `extractive`, or a provider's model: `openai/…`, `anthropic/…`, `google/…`, or `<name>/…` for the workspace's own provider. GET /models lists them. Test keys always run `sandbox`.
             * @example default
             */
            model?: string;
            /** @description How the model writes. Replaces all six: one that is null or left out is the provider's default. One that the model does not take is an error, unless `lenient` is true. */
            modelParameters?: {
                /** @description Whether a parameter that the model does not take is left out. Otherwise it is an error of the request. */
                lenient?: boolean;
                /**
                 * @description How much the model thinks before it answers. Models differ in the levels that they have.
                 * @enum {string|null}
                 */
                reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
                /** @description Number with which a provider tries to give the same answer to the same prompt. */
                seed?: number | null;
                /**
                 * @description Texts at which the model stops writing; they are not part of the answer.
                 * @example []
                 */
                stop?: string[];
                /** @description Sampling temperature: low values give similar answers each time. Some providers take at most 1. */
                temperature?: number | null;
                /** @description Share of the most probable tokens from which the model picks. Set this or `temperature`. */
                topP?: number | null;
            };
            /** @description Name of the agent. */
            name: string;
            /**
             * @description A `paused` agent refuses new runs with 409. Not part of a revision: a change takes effect at once.
             * @enum {string}
             */
            status?: "active" | "paused";
            /** @description Teams with access if `access` is `teams`; empty for owners and admins only. */
            teamIds?: string[];
            /**
             * @description Tools that the model may call, by name; GET /agents/tools lists them: `search_knowledge`, `read_passages`, `calculator`, `current_time`, `http_request` (with `httpHosts`), `call_agent` (with `agentIds`), and those of integrations, such as `github_search_issues` (with `connectionIds`).
             * @example [
             *       "search_knowledge"
             *     ]
             */
            tools?: string[];
            /**
             * @description Variables of the instructions by name, with their default values; null if every run must give a value.
             * @example {
             *       "language": "English",
             *       "customer_name": null
             *     }
             */
            variables?: {
                [key: string]: string | null;
            };
        };
        NewApiKey: {
            /** @description Narrows the key to these agents; null for all. */
            agentIds?: string[] | null;
            /** @description Addresses or CIDRs from which the key can be used; null for any. */
            allowedAddresses?: string[] | null;
            /** @description Narrows the key to these collections; null for all. */
            collectionIds?: string[] | null;
            /**
             * @description By default that of the calling key. A test key can only create test keys.
             * @enum {string}
             */
            environment?: "live" | "test";
            /**
             * Format: date-time
             * @description When the key expires; null for never.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt?: string | null;
            /**
             * @description Narrows the key to documents that match: a filter as in GET /knowledge/search, as an object. Such a key may have `agents:read`, `agents:run` and `knowledge:read`. It cannot be changed; null for all documents.
             * @example {
             *       "field": "tenant",
             *       "op": "eq",
             *       "value": "acme"
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description A service account that the key acts for, instead of the person behind the calling key.
             * @example mem_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            memberId?: string;
            /** @description Name of the key, for people. */
            name: string;
            /** @description Permissions of the key. They never exceed the current permissions of the person or service account that it acts for. */
            permissions: ("agents:read" | "agents:run" | "agents:write" | "knowledge:read" | "knowledge:write" | "integrations:read" | "integrations:write" | "workspace:write" | "members:read" | "members:write" | "teams:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "usage:read" | "audit:read")[];
        };
        NewBranch: {
            /** @description New name: 1 to 200 characters. */
            name?: string;
            /**
             * @description The last run that the new conversation remembers. It must be an ended run of this conversation.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
        };
        NewCollection: {
            /**
             * @description Who can access it: everyone in the `workspace`, or only owners, admins and the `teams` in `teamIds`. For everyone else it does not exist.
             * @enum {string}
             */
            access?: "workspace" | "teams";
            /** @description What it holds. */
            description?: string | null;
            /** @description Its name, for people. */
            name: string;
            /** @description Teams with access if `access` is `teams`; empty for owners and admins only. */
            teamIds?: string[];
        };
        NewConnection: {
            /** @description Settings that fit the entry's `configSchema`. */
            config?: {
                [key: string]: unknown;
            };
            /** @description Credentials that fit the entry's `credentialsSchema`; leave them out to authorize by OAuth. */
            credentials?: {
                [key: string]: unknown;
            };
            /**
             * @description How a person authorizes by OAuth: in a browser (the default), or with a code that they enter on another device, if the service supports that.
             * @enum {string}
             */
            flow?: "browser" | "device";
            /** @description The id of an entry of the catalog. */
            integrationId: string;
            /** @description By default the name of the integration, followed by the account in parentheses if the integration has another connection and this one needs no authorization. */
            name?: string;
            /** @description Where the person returns after an OAuth authorization, with `connectionId` and `status` added. The operator must allow its origin. */
            redirectUrl?: string;
        };
        NewConnectionSync: {
            /** @description The exact number of documents to delete, required after `delete_guard`. To see them, list the items of that sync with `status=gone`. */
            confirmDeletes?: number;
            /** @description True lists everything instead of only changes since the last sync. Items with an unchanged version are not fetched again. */
            full?: boolean;
        };
        NewFeedback: {
            /** @description Comment on the answer. */
            comment?: string;
            /** @description Your id of the end user who gives the feedback; may differ from the run's end user. */
            endUserId?: string;
            /**
             * @description Rating of the answer.
             * @enum {string}
             */
            rating: "positive" | "negative";
        };
        NewInvitation: {
            /**
             * Format: email
             * @description Address to invite.
             */
            email: string;
            /** @description Message to the invited person. */
            message?: string;
            /**
             * @description Role, at most the caller's own; `member` by default.
             * @enum {string}
             */
            role?: "owner" | "admin" | "member" | "viewer";
            /** @description Teams to join. */
            teamIds?: string[];
        };
        NewModelProvider: {
            /** @description API key: printable ASCII characters without spaces. Stored encrypted and never returned. Only your own server may have none. */
            apiKey?: string | null;
            /**
             * @description Base URL of the API, usually with a version. Required for `openai_compatible`, optional for `anthropic`, refused for the others. Private addresses are refused unless the operator allows them.
             * @example https://models.example.com/v1
             */
            baseUrl?: string | null;
            /**
             * @description Protocol: `openai` (responses), `anthropic` (messages), `google` (Gemini), or `openai_compatible` (chat completions, as in Ollama, vLLM, Mistral, OpenRouter and most others).
             * @enum {string}
             */
            kind: "openai" | "anthropic" | "google" | "openai_compatible";
            /** @description Models to list in GET /models, with their properties. Agents can use other models of the provider too. If empty, the models of an `openai_compatible` server come from the server. */
            models?: components["schemas"]["ProviderModelInput"][];
            /**
             * @description Unique in the workspace: its models are named `<name>/<model>`. `openai`, `anthropic` and `google` are the operator’s.
             * @example acme-gpu
             */
            name: string;
        };
        NewRun: {
            /** @description Documents for the prompt: texts as citable passages, images for models that accept images. */
            attachments?: string[];
            /**
             * @description Where the events of this run are sent by POST as well, when it waits and when it ends; signed with the secret of POST /callbacks/secret/rotate. Private addresses are refused unless the operator allows them; redirects are not followed. No reply shows it but the log, GET /callbacks/deliveries.
             * @example https://example.com/answers?ticket=4711
             */
            callbackUrl?: string;
            /** @description Narrows the run to these collections, within those of its agent, its key and its conversation. Tools find nothing outside them. The conversation's first run narrows all later ones. */
            collectionIds?: string[];
            /**
             * @description Continues a conversation: the agent remembers its earlier runs. Without it, the run starts a new conversation, which its reply names.
             * @example cnv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            conversationId?: string;
            /** @description Your id of the end user. Conversations of different end users are separate. */
            endUserId?: string;
            /**
             * @description Narrows the run to documents that match: a filter as in GET /knowledge/search, as an object. Tools find nothing else. The conversation's first run narrows all later ones.
             * @example {
             *       "field": "tenant",
             *       "op": "eq",
             *       "value": "acme"
             *     }
             */
            filter?: Record<string, never>;
            /**
             * @description Functions of your own program that the model may call in this run, besides those of the agent. For each call the run waits for your result: see `pendingToolCalls`.
             * @example [
             *       {
             *         "name": "look_up_order",
             *         "description": "Finds an order of the shop by its number.",
             *         "inputSchema": {
             *           "type": "object",
             *           "properties": {
             *             "number": {
             *               "type": "integer",
             *               "minimum": 1
             *             }
             *           },
             *           "required": [
             *             "number"
             *           ],
             *           "additionalProperties": false
             *         }
             *       }
             *     ]
             */
            functions?: components["schemas"]["AgentFunctionInput"][];
            /** @description Limits of the run; at most the agent's limits. */
            limits?: {
                /** @description Cost in US dollars after which the run makes no more model calls. */
                maxCostUsd?: number;
                /** @description Maximum number of tokens that the model writes in one call; by default as many as it can. */
                maxOutputTokens?: number;
                /** @description Maximum number of model calls; 8 by default. */
                maxSteps?: number;
                /** @description Maximum duration in seconds; 120 by default. */
                timeoutSeconds?: number;
            };
            /**
             * @description In place of `prompt`: what was said before, with its images, documents and calls of functions, and last the prompt or the results of calls. With `conversationId` they follow what the conversation remembers.
             * @example [
             *       {
             *         "role": "user",
             *         "content": "Where is order 7?"
             *       },
             *       {
             *         "role": "assistant",
             *         "content": "It was shipped on Monday."
             *       },
             *       {
             *         "role": "user",
             *         "content": "And when will it be here?"
             *       }
             *     ]
             */
            messages?: components["schemas"]["Message"][];
            /**
             * @description Your own data, stored and returned with the run.
             * @example {
             *       "department": "support",
             *       "year": 2026
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean | null | string[];
            };
            /** @description How the model writes, each instead of the agent's: null for the provider's default. One that the model does not take is an error, unless the agent is `lenient`. */
            modelParameters?: {
                /**
                 * @description How much the model thinks before it answers. Models differ in the levels that they have.
                 * @enum {string|null}
                 */
                reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
                /** @description Number with which a provider tries to give the same answer to the same prompt. */
                seed?: number | null;
                /**
                 * @description Texts at which the model stops writing; they are not part of the answer.
                 * @example []
                 */
                stop?: string[];
                /** @description Sampling temperature: low values give similar answers each time. Some providers take at most 1. */
                temperature?: number | null;
                /** @description Share of the most probable tokens from which the model picks. Set this or `temperature`. */
                topP?: number | null;
            };
            /** @description Prompt for the agent: 1 to 100,000 characters. Send either this or `messages`. */
            prompt?: string;
            /** @description JSON Schema (draft 2020-12) for the answer, which is returned in `structuredOutput`. At most 64 KB; `$ref` only within the schema. */
            responseSchema?: Record<string, never>;
            /** @description Revision to run instead of the published one. Other revisions also need `agents:write`. */
            revision?: number;
            /**
             * @description Whether the model calls functions and tools. `auto` (the default): as it likes. `none`: not at all. `required`: its first answer is a call. `{"function": "NAME"}`: its first answer calls this one. After the first answer the model is free.
             * @example auto
             */
            toolChoice?: ("auto" | "none" | "required") | {
                /**
                 * @description Name of a function or tool of the run.
                 * @example look_up_order
                 */
                function: string;
            };
            /**
             * @description Values of the variables of the agent's instructions, by name.
             * @example {
             *       "customer_name": "Ada"
             *     }
             */
            variables?: {
                [key: string]: string;
            };
            /**
             * @description What to do if a run of the conversation is in progress. `enqueue` (the default) starts after earlier runs have ended. `reject` answers 409 `conversation_busy`. `interrupt` cancels earlier runs and then starts.
             * @enum {string}
             */
            whenBusy?: "enqueue" | "reject" | "interrupt";
        };
        NewServiceAccount: {
            /** @description Name of the service account. */
            name: string;
            /**
             * @description Role that limits its keys: admin, member or viewer; at most the caller's own.
             * @enum {string}
             */
            role: "admin" | "member" | "viewer";
        };
        NewSync: {
            /** @description A page of the manifest of your source. Each external id may appear once over all pages. */
            entries?: components["schemas"]["SyncEntry"][];
            /**
             * @description What to do if the collection has an open session. `reject` answers 409 `sync_in_progress`. `resume` answers 200 with that session and adds the entries to its manifest; `sync.entries` is how many it has. `cancel` ends it without deleting anything and opens another.
             * @default reject
             * @enum {string}
             */
            ifOpen?: "reject" | "resume" | "cancel";
            /** @description Share of the source's documents that may be deleted without confirmation; 0.2 by default. One or two documents may always be deleted. */
            maxDeleteShare?: number;
        };
        NewTeam: {
            /** @description What the team is for. */
            description?: string | null;
            /** @description Name, unique in the workspace. */
            name: string;
        };
        NewTextDocument: {
            /**
             * @description Collection for the document.
             * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            collectionId: string;
            /**
             * @description The document's id in the source system; unique in its collection.
             * @example wiki/4711
             */
            externalId?: string;
            /**
             * @description Up to 50 fields of your own, as JSON: strings, numbers, booleans, ISO 8601 dates and lists of strings.
             * @example {
             *       "department": "people",
             *       "year": 2026,
             *       "reviewed": true,
             *       "validUntil": "2027-01-31",
             *       "tags": [
             *         "leave",
             *         "pay"
             *       ]
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean | string[];
            };
            /**
             * @description File name, whose ending tells the format: `leave.md`, `leave.html`, `leave.csv`. By default a new document gets its title as its name, and an existing one keeps its name.
             * @example leave.md
             */
            name?: string;
            /** @description Text of the document. The whole body may have 2 MB, and the text the upload size of the plan; send a longer text as a file. */
            text: string;
            /** @description By default taken from the file. */
            title?: string;
        };
        NewWebhook: {
            /** @description What the endpoint is for, for people. */
            description?: string | null;
            /** @description Whether events are sent. You can replay events from the time while it was disabled. */
            enabled?: boolean;
            /** @description Event types to send. `run.*` stands for all types of runs, and `*` for all; both cover types to come. Each type needs the permission to read its records, such as `agents:read` for runs; `*` leaves out what the key may not read. */
            eventTypes?: ("*" | "run.*" | "document.*" | "collection.*" | "connection.*" | "member.*" | "key.*" | "limit.*" | "webhook.*" | "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled")[];
            /**
             * @description Where events are sent by POST. Private addresses are refused unless the operator allows them; redirects are not followed.
             * @example https://example.com/hooks/atrium
             */
            url: string;
        };
        NoAccessErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["WorkspaceDeletedError"];
        /** @description The server can return none of the accepted media types. */
        NotAcceptableError: components["schemas"]["Error"] & {
            /** @constant */
            code: "not_acceptable";
        };
        /** @description Not found. */
        NotFoundError: components["schemas"]["Error"] & {
            /** @constant */
            code: "not_found";
        };
        NothingToSyncDetails: {
            /**
             * @description The integration.
             * @example http
             */
            integrationId: string;
        };
        /** @description The integration has nothing to keep in sync. */
        NothingToSyncError: components["schemas"]["Error"] & {
            /** @constant */
            code: "nothing_to_sync";
            details: components["schemas"]["NothingToSyncDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "nothing_to_sync";
        };
        /** @description The record is not in the trash. */
        NotInTrashError: components["schemas"]["Error"] & {
            /** @constant */
            code: "not_in_trash";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "not_in_trash";
        };
        NotInTrashErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["NotInTrashError"];
        OAuthClient: {
            /** @description Null if there is no client. */
            clientId: string | null;
            integrationId: string;
            /** @description Redirect URL to register with the service. */
            redirectUrl: string;
            /**
             * @description Which client is used: the workspace's own, or else the one in the server's settings.
             * @enum {string}
             */
            source: "workspace" | "server" | "none";
            /**
             * Format: date-time
             * @description When the workspace's own client was set.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string | null;
        };
        OAuthClientReply: {
            data: components["schemas"]["OAuthClient"];
        };
        OAuthClientSecret: {
            /** @description Client id from the service. */
            clientId: string;
            /** @description Stored encrypted and never returned. */
            clientSecret: string;
        };
        /** @description An OpenAPI 3.1 document. */
        OpenApiDocument: {
            [key: string]: unknown;
        };
        OwnershipTransfer: {
            /**
             * @description Member who becomes an owner; must be a person.
             * @example mem_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            memberId: string;
        };
        PageMeta: {
            /** @description The current page, from 1. */
            page: number;
            /** @description Items per page. */
            pageSize: number;
            /** @description Exact number of items. */
            total: number;
        };
        /** @description The body is too large. */
        PayloadTooLargeError: components["schemas"]["Error"] & {
            /** @constant */
            code: "payload_too_large";
        };
        PendingApproval: {
            /**
             * Format: date-time
             * @description When the run fails with `approval_expired` without a decision.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string;
            /** @description Arguments of the call. */
            input: unknown;
            /** @description Name of the tool. */
            name: string;
            /**
             * Format: date-time
             * @description When the call started waiting.
             * @example 2026-11-21T09:30:00.000Z
             */
            requestedAt: string;
            /**
             * @description Run to send the decision to: this run or one of its parts.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /**
             * @description Id of the call, as the run shows it.
             * @example call_1
             */
            toolCallId: string;
        };
        PendingToolCall: {
            /**
             * Format: date-time
             * @description When the run fails with `tool_result_expired` without a result.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Arguments of the call; they fit the `inputSchema` of the function.
             * @example {
             *       "number": 7
             *     }
             */
            input: unknown;
            /**
             * @description Name of the function.
             * @example look_up_order
             */
            name: string;
            /**
             * Format: date-time
             * @description When the call started waiting.
             * @example 2026-11-21T09:30:00.000Z
             */
            requestedAt: string;
            /**
             * @description Run to send the result to: this run or one of its parts.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /**
             * @description Id of the call, as the run shows it.
             * @example call_1
             */
            toolCallId: string;
        };
        PermissionMissingDetails: {
            /**
             * @description The permission; left out if a role is missing.
             * @example agents:run
             */
            permission?: string;
        };
        /** @description The key lacks a permission. */
        PermissionMissingError: components["schemas"]["Error"] & {
            /** @constant */
            code: "permission_missing";
            details: components["schemas"]["PermissionMissingDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "permission_missing";
        };
        /** @description API access needs the Starter plan or above. */
        PlanRequiredError: components["schemas"]["Error"] & {
            /** @constant */
            code: "plan_required";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "plan_required";
        };
        /** @description The record has changed since the ETag in If-Match was read. */
        PreconditionFailedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "precondition_failed";
        };
        /** @description What the call would do; nothing was changed. */
        Preview: {
            /** @constant */
            dryRun: true;
            effects: {
                count: number;
                /** @enum {string} */
                effect: "deleted" | "revoked" | "disabled" | "detached" | "queued";
                /** @description The first hundred of them. */
                ids: string[];
                /**
                 * @description The kind of record.
                 * @enum {string}
                 */
                resource: "agent" | "api_key" | "collection" | "connection" | "conversation" | "document" | "event" | "feedback" | "invitation" | "member" | "model_provider" | "oauth_client" | "run" | "team" | "upload" | "webhook" | "workspace";
            }[];
        };
        PreviewReply: {
            data: components["schemas"]["Preview"];
        };
        PriceUnknownDetails: {
            /**
             * @description The model.
             * @example gpt-5
             */
            model: string;
        };
        /** @description The price of the model is not known. */
        PriceUnknownError: components["schemas"]["Error"] & {
            /** @constant */
            code: "price_unknown";
            details: components["schemas"]["PriceUnknownDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "price_unknown";
        };
        ProviderModel: {
            /** @description Size of its context window, in tokens. */
            contextTokens?: number;
            /**
             * @description The model's name at the provider.
             * @example llama-4-maverick
             */
            id: string;
            /** @description Price; without it the cost of its runs is null. */
            price?: {
                /** @description Tokens that come from the provider's cache; as others unless given, in US dollars per million. */
                cachedInputUsdPerMillionTokens?: number;
                /** @description Tokens of the prompt, in US dollars per million. */
                inputUsdPerMillionTokens: number;
                /** @description Tokens of the answer, in US dollars per million. */
                outputUsdPerMillionTokens: number;
            };
            /** @description Whether a prompt may contain images. */
            seesImages?: boolean;
        };
        ProviderModelInput: {
            /** @description Size of its context window, in tokens. */
            contextTokens?: number;
            /**
             * @description The model's name at the provider.
             * @example llama-4-maverick
             */
            id: string;
            /** @description Price; without it the cost of its runs is null. */
            price?: {
                /** @description Tokens that come from the provider's cache; as others unless given, in US dollars per million. */
                cachedInputUsdPerMillionTokens?: number;
                /** @description Tokens of the prompt, in US dollars per million. */
                inputUsdPerMillionTokens: number;
                /** @description Tokens of the answer, in US dollars per million. */
                outputUsdPerMillionTokens: number;
            };
            /** @description Whether a prompt may contain images. */
            seesImages?: boolean;
        };
        Publication: {
            /** @description Revision to publish; may be an earlier one. */
            revision: number;
        };
        PutDocumentConflictErrors: components["schemas"]["ConcurrentChangeError"] | components["schemas"]["DocumentInProgressError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"];
        PutDocumentForm: {
            /**
             * Format: binary
             * @description The file.
             */
            file: string;
            /**
             * @description JSON; unchanged if left out.
             * @example {
             *       "department": "people",
             *       "year": 2026,
             *       "reviewed": true,
             *       "validUntil": "2027-01-31",
             *       "tags": [
             *         "leave",
             *         "pay"
             *       ]
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean | string[];
            };
            /** @description Unchanged if left out. */
            title?: string;
        };
        RangeNotSatisfiableDetails: {
            /**
             * @description The size of the file.
             * @example 12345
             */
            sizeBytes: number;
        };
        /** @description The file ends before the range. */
        RangeNotSatisfiableError: components["schemas"]["Error"] & {
            /** @constant */
            code: "range_not_satisfiable";
            details: components["schemas"]["RangeNotSatisfiableDetails"];
        };
        /** @description Too many requests. */
        RateLimitedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "rate_limited";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "rate_limited";
        };
        ReconnectIntegrationConflictErrors: components["schemas"]["ConcurrentChangeError"] | components["schemas"]["ConnectionNotActiveError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["IntegrationNotConfiguredError"] | components["schemas"]["IntegrationRemovedError"];
        Reconnection: {
            /** @description Credentials that fit the entry's `credentialsSchema`; leave them out to authorize by OAuth. */
            credentials?: {
                [key: string]: unknown;
            };
            /**
             * @description How a person authorizes by OAuth: in a browser (the default), or with a code that they enter on another device, if the service supports that.
             * @enum {string}
             */
            flow?: "browser" | "device";
            /** @description Where the person returns after an OAuth authorization, with `connectionId` and `status` added. The operator must allow its origin. */
            redirectUrl?: string;
        };
        RedeliverWebhookDeliveryConflictErrors: components["schemas"]["EventExpiredError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["WebhookDisabledError"];
        /** @description The request took too long to arrive. */
        RequestTimeoutError: components["schemas"]["Error"] & {
            /** @constant */
            code: "request_timeout";
        };
        Rerun: {
            /** @description Model to use instead of the revision's, without a fallback. Also needs `agents:write`. */
            model?: string;
            /**
             * @description Revision of the agent: a number, `published` (the default), `same` (the first run's) or `latest` (may be a draft). Unpublished revisions also need `agents:write`.
             * @example same
             */
            revision?: ((number | ("published" | "same" | "latest")) | (string | number | ("published" | "same" | "latest"))) | number | ("published" | "same" | "latest");
        };
        RerunRunConflictErrors: components["schemas"]["AgentDeletedError"] | components["schemas"]["AgentPausedError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["PriceUnknownError"];
        RerunRunForbiddenErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["BudgetExceededError"] | components["schemas"]["PermissionMissingError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["StorageLimitError"] | components["schemas"]["WorkspaceDeletedError"];
        ResendInvitationConflictErrors: components["schemas"]["AlreadyInvitedError"] | components["schemas"]["AlreadyMemberError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["InvitationEndedError"];
        RestoreDocumentConflictErrors: components["schemas"]["AlreadyExistsError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["NotInTrashError"];
        ResumableUpload: {
            /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
            collectionId: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Set once it is `done`.
             * @example doc_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            documentId: string | null;
            /** @description Why it `failed`. */
            error: {
                code: string;
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description When it expires unless more bytes arrive.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string;
            /** @example upl_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Bytes of the whole file. */
            length: number;
            /** @description The file's name. */
            name: string;
            /** @description Bytes received and stored. */
            offset: number;
            /**
             * @description `finishing` after the last byte, until the document is created.
             * @enum {string}
             */
            status: "open" | "finishing" | "done" | "failed";
        };
        ResumableUploadListReply: {
            data: components["schemas"]["ResumableUpload"][];
            meta: components["schemas"]["PageMeta"];
        };
        ResumableUploadReply: {
            data: components["schemas"]["ResumableUpload"];
        };
        RetryRequest: {
            /**
             * @description Only documents of this collection.
             * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            collectionId?: string;
            /** @description Only documents that failed with one of these codes. */
            errorCodes?: ("empty" | "no_text" | "encrypted" | "corrupt" | "too_large" | "parsing_timeout" | "too_complex" | "out_of_memory" | "text_too_long" | "archive_bomb" | "parser_crashed" | "unsupported_type" | "conversion_failed" | "file_missing" | "simulated" | "indexing_timeout" | "processing_failed")[];
        };
        RetryResult: {
            /** @description Number of documents queued again. */
            documentCount: number;
        };
        RetryResultReply: {
            data: components["schemas"]["RetryResult"];
        };
        Rotation: {
            /**
             * @description How long the old secret stays valid, in seconds; at most 7 days.
             * @default 3600
             */
            overlapSeconds?: number;
        };
        Run: {
            /**
             * @description The agent that ran.
             * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            agentId: string;
            /** @description Revision of the agent that the run used. */
            agentRevision: number;
            /** @description Documents that were given with the prompt. */
            attachments: string[];
            /** @description Sources of the answer, in the order of the output. */
            citations: components["schemas"]["Citation"][];
            /** @description The only collections that its runs read: those asked for that the conversation or the calling run allows. Null for no such limit. */
            collectionIds: string[] | null;
            /**
             * @description Send it with the next prompt to continue the conversation.
             * @example cnv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            conversationId: string;
            /**
             * Format: date-time
             * @description When the run was requested.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description From `startedAt` to `finishedAt`, in milliseconds; null if one of them is. */
            durationMs: number | null;
            /** @description Your id of the end user, as given with the prompt; null if none was given. */
            endUserId: string | null;
            /** @description Null unless the run failed. */
            error: {
                /**
                 * @description Why the run failed.
                 * @enum {string}
                 */
                code: "model_not_configured" | "model_unauthorized" | "model_not_found" | "model_rate_limited" | "model_quota_exceeded" | "model_unavailable" | "model_timeout" | "model_request_rejected" | "model_invalid_response" | "context_too_long" | "content_filtered" | "output_truncated" | "max_steps" | "max_cost" | "budget_exceeded" | "output_invalid" | "attachment_unavailable" | "run_timeout" | "tool_error" | "run_interrupted" | "approval_expired" | "tool_result_expired" | "access_revoked" | "internal_error";
                /** @description Description of the error. */
                message: string;
                /** @description Whether the same run may succeed later. */
                retryable: boolean;
            } | null;
            /** @description Feedback on the answer; null if there is none. */
            feedback: components["schemas"]["Feedback"] | null;
            /** @description Only documents that match are read: the filter asked for, joined with that of the conversation or the calling run. Null for no filter. */
            filter: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-21T09:30:00.000Z
             */
            finishedAt: string | null;
            /** @description Functions that the request named; those of the agent are in its revision. */
            functions: components["schemas"]["AgentFunction"][];
            /**
             * @description Id of the run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /** @description The messages that the request gave; null if it gave a prompt. */
            messages: components["schemas"]["ShownMessage"][] | null;
            /** @description Your own data, as given with the prompt. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Model that the run used; null until it starts. */
            model: string | null;
            /** @description How the model writes, from the agent and the request; null for the provider's default. Those that the model does not take are left out. */
            modelParameters: {
                /**
                 * @description How much the model thinks before it answers. Models differ in the levels that they have.
                 * @enum {string|null}
                 */
                reasoningEffort: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
                /** @description Number with which a provider tries to give the same answer to the same prompt. */
                seed: number | null;
                /**
                 * @description Texts at which the model stops writing; they are not part of the answer.
                 * @example []
                 */
                stop: string[];
                /** @description Sampling temperature: low values give similar answers each time. Some providers take at most 1. */
                temperature: number | null;
                /** @description Share of the most probable tokens from which the model picks. Set this or `temperature`. */
                topP: number | null;
            };
            /** @description The answer; null until there is one. */
            output: string | null;
            /**
             * @description The run that started this one with `call_agent`; null if none did.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            parentRunId: string | null;
            /** @description Tool calls that wait for an approval, including those of its parts; decide with POST /runs/:id/approvals. */
            pendingApprovals: components["schemas"]["PendingApproval"][];
            /** @description Calls of functions that wait for the result of your program, including those of its parts; send it with POST /runs/:id/tool-results. */
            pendingToolCalls: components["schemas"]["PendingToolCall"][];
            /** @description The prompt; of `messages` the words of the last user message. */
            prompt: string;
            /**
             * @description The run whose inputs it repeats; null if it is not a rerun.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            rerunOf: string | null;
            /** @description The requested JSON Schema; null if there was none. */
            responseSchema: unknown;
            /**
             * Format: date-time
             * @description When work on it began; null if it has not.
             * @example 2026-11-21T09:30:00.000Z
             */
            startedAt: string | null;
            /**
             * @description Every run ends as `succeeded`, `failed` or `cancelled`. A `waiting` run has tool calls that wait for an approval, or for a result of your program.
             * @enum {string}
             */
            status: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled";
            /** @description Steps of the run, in order. */
            steps: components["schemas"]["RunStep"][];
            /** @description The answer as a value that fits `responseSchema`; null if no schema was given. */
            structuredOutput: unknown;
            /**
             * @description Whether the model calls functions and tools. `auto` (the default): as it likes. `none`: not at all. `required`: its first answer is a call. `{"function": "NAME"}`: its first answer calls this one. After the first answer the model is free.
             * @example auto
             */
            toolChoice: ("auto" | "none" | "required") | {
                /**
                 * @description Name of a function or tool of the run.
                 * @example look_up_order
                 */
                function: string;
            };
            /** @description What the run used. */
            usage: {
                /** @description Cost in US dollars: 0 for the built-in models, null if the model's price is unknown. */
                costUsd: number | null;
                /** @description Input tokens of all steps. */
                inputTokens: number;
                /** @description True if a model call was cut short. Its tokens are then estimated at four characters per token. */
                isEstimate: boolean;
                /** @description Output tokens of all steps. */
                outputTokens: number;
            };
            /** @description Values of the agent's variables, as given with the prompt. */
            variables: {
                [key: string]: string;
            };
        };
        RunAgentConflictErrors: components["schemas"]["AgentPausedError"] | components["schemas"]["ConversationBusyError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["PriceUnknownError"];
        RunAgentForbiddenErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["BudgetExceededError"] | components["schemas"]["PermissionMissingError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["StorageLimitError"] | components["schemas"]["WorkspaceDeletedError"];
        RunComparison: {
            /** @description Differences between the agent's revisions: `before` is this run's value, `after` the other's. */
            agent: components["schemas"]["FieldChange"][];
            /** @description Citations, compared by document, version and offsets. */
            citations: {
                /** @description Passages that only the other run cites. */
                added: components["schemas"]["Citation"][];
                /** @description Number of passages that both cite. */
                keptCount: number;
                /** @description Passages that only this run cites. */
                removed: components["schemas"]["Citation"][];
            };
            /** @description The other run's usage minus this one's. */
            differences: {
                /** @description The other run's cost in US dollars minus this one's; null if one is unknown. */
                costUsd: number | null;
                /** @description The other run's duration in milliseconds minus this one's; null if one has none. */
                durationMs: number | null;
                /** @description The other run's input tokens minus this one's. */
                inputTokens: number;
                /** @description The other run's output tokens minus this one's. */
                outputTokens: number;
                /** @description The other run's number of steps minus this one's. */
                steps: number;
            };
            /** @description Inputs that differ: `before` is this run's value, `after` the other's. */
            inputs: components["schemas"]["FieldChange"][];
            /** @description Whether both answers are identical. */
            isSameOutput: boolean;
            other: components["schemas"]["ComparedRun"];
            run: components["schemas"]["ComparedRun"];
        };
        RunComparisonReply: {
            data: components["schemas"]["RunComparison"];
        };
        RunEndedDetails: {
            /**
             * @description The run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /**
             * @description Its status.
             * @example succeeded
             */
            status: string;
        };
        /** @description The run has ended, or waits for nothing. */
        RunEndedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "run_ended";
            details: components["schemas"]["RunEndedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "run_ended";
        };
        RunEndedErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["RunEndedError"];
        /** @description An event of a run; later versions may send more types. */
        RunEvent: components["schemas"]["RunProgressEvent"] | components["schemas"]["StepStartedEvent"] | components["schemas"]["StepRestartedEvent"] | components["schemas"]["TextEvent"] | components["schemas"]["StepFinishedEvent"] | components["schemas"]["RunResultEvent"];
        RunInProgressDetails: {
            /**
             * @description The run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /**
             * @description Its status.
             * @example running
             */
            status: string;
        };
        /** @description The run has not ended yet. */
        RunInProgressError: components["schemas"]["Error"] & {
            /** @constant */
            code: "run_in_progress";
            details: components["schemas"]["RunInProgressDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "run_in_progress";
        };
        RunInProgressErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["RunInProgressError"];
        RunIsPartDetails: {
            /**
             * @description The run that it is a part of.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            rootRunId: string;
        };
        /** @description The run is a part of another one. */
        RunIsPartError: components["schemas"]["Error"] & {
            /** @constant */
            code: "run_is_part";
            details: components["schemas"]["RunIsPartDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "run_is_part";
        };
        RunIsPartErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["RunIsPartError"];
        RunLimitDetails: {
            /**
             * @description Runs at once that the plan allows.
             * @example 10
             */
            limit: number;
        };
        /** @description The plan's limit of simultaneous runs is reached. */
        RunLimitError: components["schemas"]["Error"] & {
            /** @constant */
            code: "run_limit";
            details: components["schemas"]["RunLimitDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "run_limit";
        };
        RunLimitErrors: components["schemas"]["RateLimitedError"] | components["schemas"]["RunLimitError"];
        RunProgressEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description Id of the run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /**
             * @description Event type, the same as in the `event:` line. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "run.queued" | "run.started";
        };
        RunReply: {
            data: components["schemas"]["Run"];
        };
        RunResultEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            run: components["schemas"]["Run"];
            /**
             * @description Id of the run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /**
             * @description Event type, the same as in the `event:` line. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "run.waiting" | "run.succeeded" | "run.failed" | "run.cancelled";
        };
        /** @description A call of the model or of a tool, which `type` tells apart. */
        RunStep: components["schemas"]["ModelStep"] | components["schemas"]["ToolStep"];
        /** @description A test key cannot do this. */
        SandboxForbiddenError: components["schemas"]["Error"] & {
            /** @constant */
            code: "sandbox_forbidden";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "sandbox_forbidden";
        };
        SandboxForbiddenErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["PermissionMissingError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["SandboxForbiddenError"] | components["schemas"]["WorkspaceDeletedError"];
        /** @description With `explain=true`: how the result was ranked. */
        SearchExplanation: {
            /** @description Why `auto` used no vectors; null if it used them. */
            fallback: string | null;
            /** @description The sum of 1 / (60 + rank) over the lists, if there were several. */
            fusion: number | null;
            /**
             * @description Search mode that was used.
             * @enum {string}
             */
            mode: "text" | "vector" | "hybrid";
            rerank: {
                /** @description Why the reranker was not used. */
                failure?: string;
                model?: string | null;
                /** @description From 1. */
                rank?: number;
                score?: number;
            } | null;
            /** @description Null if text search did not find it. */
            text: {
                /** @description Parts of the score: the terms, the field, and the score of each. */
                parts: {
                    [key: string]: unknown;
                }[];
                /** @description From 1. */
                rank: number;
                score: number;
            } | null;
            /** @description One entry for each embedding model that found it. */
            vectors: {
                model: string;
                /** @description From 1. */
                rank: number;
                /** @description Cosine similarity, at most 1. */
                similarity: number;
            }[];
        };
        SearchHit: {
            /**
             * @description Id of the chunk; the best one if several form the result.
             * @example chk_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            chunkId: string;
            /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
            collectionId: string;
            /** @example doc_01kajz4v7qf3x8m2c9t5b6n0rw */
            documentId: string;
            documentVersion: number;
            explanation?: components["schemas"]["SearchExplanation"];
            externalId: string | null;
            /** @description Positions of the query's words. */
            highlights: {
                /** @description Offset after its last code point within `text`. */
                endOffset: number;
                /** @description Offset of the first code point within `text`. */
                startOffset: number;
            }[];
            location: {
                /** @description End of the result, exclusive. */
                endOffset: number;
                /** @description Page number, from 1; null for formats without pages. */
                page: number | null;
                /** @description Start of the result, in code points of the document's text. */
                startOffset: number;
            };
            /** @description The document's metadata. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The name of the document's file. */
            name: string;
            /** @description Higher is better; comparable within one reply only. */
            score: number;
            /** @description Text of the chunk and of adjacent chunks that were found too: exactly the document's text from `startOffset` to `endOffset`. */
            text: string;
            /** @description The document's title. */
            title: string | null;
        };
        SearchHitListReply: {
            data: components["schemas"]["SearchHit"][];
            meta: components["schemas"]["PageMeta"];
        };
        SearchKnowledgeUnavailableErrors: components["schemas"]["EmbeddingUnavailableError"] | components["schemas"]["UnavailableError"];
        SecretRotation: {
            /**
             * @description How long deliveries are also signed with the old secret, in seconds; at most 7 days.
             * @default 86400
             */
            overlapSeconds?: number;
        };
        /** @description Who answered a call that waited for a result; `output` has the result. */
        SentResult: {
            /**
             * Format: date-time
             * @description When the result came.
             * @example 2026-11-21T09:30:00.000Z
             */
            sentAt: string;
            /** @description Sender of the result. */
            sentBy: {
                /** @description The key that sent it; null for a person in the console. */
                keyId: string | null;
                /** @description Id of the user who sent it, or whose key did. */
                userId: string | null;
            };
        };
        ShownCallbackSecret: {
            /**
             * @description Environment of the runs whose callbacks it signs.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * Format: date-time
             * @description Until when callbacks also carry a signature with the previous secret.
             * @example 2026-11-21T09:30:00.000Z
             */
            previousSecretExpiresAt: string | null;
            /**
             * Format: date-time
             * @description When the secret was made; null if there is none yet, and runs take no `callbackUrl`.
             * @example 2026-11-21T09:30:00.000Z
             */
            rotatedAt: string | null;
            /** @description Secret for verifying callbacks: `whsec_` and 32 bytes in base64. Only this reply has it; a replayed reply leaves it out. */
            secret?: string;
        };
        ShownCallbackSecretReply: {
            data: components["schemas"]["ShownCallbackSecret"];
        };
        ShownImagePart: {
            /**
             * @description Media type of the image.
             * @enum {string}
             */
            mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
            /** @description Size of the image, in bytes. */
            sizeBytes: number;
            /**
             * @description An image. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image";
        };
        /** @description A message of the request; of an image only its size is shown. */
        ShownMessage: components["schemas"]["SystemMessage"] | components["schemas"]["ShownUserMessage"] | components["schemas"]["AssistantMessage"] | components["schemas"]["ToolMessage"];
        ShownMessagePart: components["schemas"]["TextPart"] | components["schemas"]["ShownImagePart"] | components["schemas"]["DocumentPart"];
        ShownUserMessage: {
            /** @description Text, or parts: texts, images and documents. */
            content: string | components["schemas"]["ShownMessagePart"][];
            /**
             * @description What the user said.
             * @enum {string}
             */
            role: "user";
        };
        StartConnectionSyncConflictErrors: components["schemas"]["CollectionDeletedError"] | components["schemas"]["CollectionTakenError"] | components["schemas"]["ConcurrentChangeError"] | components["schemas"]["ConnectionNotActiveError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["NothingToSyncError"] | components["schemas"]["SyncInProgressError"];
        StartedConnection: {
            /** @description The connected account; null until it is known. */
            account: {
                /** @description The account's id at the service. */
                id: string;
                /** @description Name of the account at the service. */
                name: string;
            } | null;
            /** @description Send the person there to grant access. Only for OAuth. Shown once: a replayed reply leaves it out. */
            authorizationUrl?: string;
            /** @description Settings that fit the entry's `configSchema`. */
            config: {
                [key: string]: unknown;
            };
            /** @description A page of this server that names what will be connected and then leads to the service. Only the browser that opened it can finish. For people who are not signed in to your own application. Shown once. */
            connectUrl?: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Deadline for the authorization; only for OAuth.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt?: string;
            /** @example con_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Id of the catalog entry. */
            integrationId: string;
            /** @description Last error; null once the connection works again. */
            lastError: {
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                at: string;
                /** @description Error code for programs. */
                code: string;
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was last synchronized.
             * @example 2026-11-21T09:30:00.000Z
             */
            lastSyncAt: string | null;
            name: string;
            /** @description What the service granted. */
            scopes: string[];
            /**
             * @description `pending`: waits for the authorization. `needs_reauth`: the service no longer accepts the credentials. `expired`: not authorized in time.
             * @enum {string}
             */
            status: "pending" | "active" | "needs_reauth" | "failed" | "revoked" | "expired";
            sync: {
                /**
                 * @description Collection of its documents; null before the first sync, which creates one.
                 * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                collectionId: string | null;
                /** @description Minutes between syncs; null for syncs on request only. */
                everyMinutes: number | null;
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                nextSyncAt: string | null;
            };
            /** @description Code to enter at `verificationUrl`; only in the device flow. */
            userCode?: string;
            /** @description Where the person enters `userCode`, on any device. */
            verificationUrl?: string;
        };
        StartedConnectionReply: {
            data: components["schemas"]["StartedConnection"];
        };
        StepFinishedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description Id of the run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            step?: components["schemas"]["RunStep"];
            /** @description Index of the step in the run’s `steps`, from 0. */
            stepIndex: number;
            /**
             * @description Event type, the same as in the `event:` line. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "step.finished";
        };
        /** @description The step begins again: what was sent of its text before does not count. */
        StepRestartedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description Id of the run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /** @description Index of the step in the run’s `steps`, from 0. */
            stepIndex: number;
            /**
             * @description Event type, the same as in the `event:` line. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "step.restarted";
        };
        StepStartedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description With a tool: arguments of the call. */
            input?: unknown;
            /** @description Name of the model or of the tool. */
            name: string;
            /**
             * @description Id of the run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /** @description Index of the step in the run’s `steps`, from 0. */
            stepIndex: number;
            /**
             * @description Whether a model or a tool is called.
             * @enum {string}
             */
            stepType: "model" | "tool";
            /** @description With a tool: the model’s own id for the call. */
            toolCallId?: string;
            /**
             * @description Event type, the same as in the `event:` line. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "step.started";
        };
        /** @description What the step used of models. */
        StepUsage: {
            /** @description Cost in US dollars; null if the price of the model is unknown. */
            costUsd: number | null;
            /** @description Tokens that the model read. */
            inputTokens: number;
            /** @description Tokens that the model wrote. */
            outputTokens: number;
        };
        /** @description The plan's storage is used up. */
        StorageLimitError: components["schemas"]["Error"] & {
            /** @constant */
            code: "storage_limit";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "storage_limit";
        };
        StorageLimitErrors: components["schemas"]["AddressNotAllowedError"] | components["schemas"]["PermissionMissingError"] | components["schemas"]["PlanRequiredError"] | components["schemas"]["StorageLimitError"] | components["schemas"]["WorkspaceDeletedError"];
        Sync: {
            /** @description New documents uploaded. */
            added: number;
            /** @description Documents with new content uploaded. */
            changed: number;
            /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
            collectionId: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Documents moved to the trash because they are not in the manifest. */
            deleted: number;
            /** @description Entries of the manifest so far. */
            entries: number;
            /**
             * Format: date-time
             * @description When it expires without further requests.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string;
            /** @description Requested documents that were not uploaded; for an open session: not yet uploaded. */
            failed: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            finishedAt: string | null;
            /** @example syn_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            maxDeleteShare: number;
            /**
             * @description `completing` while documents are being deleted. An `open` session expires without requests.
             * @enum {string}
             */
            status: "open" | "completing" | "completed" | "cancelled" | "expired";
            /** @description Documents that already have the content in the manifest. */
            unchanged: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        SyncCompletion: {
            /** @description The exact number of documents to delete, required after `delete_guard`. */
            confirmDeletes?: number;
        };
        SyncEndedDetails: {
            /**
             * @description Its status.
             * @example completed
             */
            status: string;
        };
        /** @description The sync has ended. */
        SyncEndedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "sync_ended";
            details: components["schemas"]["SyncEndedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "sync_ended";
        };
        SyncEndedErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["SyncEndedError"];
        SyncEntry: {
            /**
             * @description The document's id in the source system.
             * @example wiki/4711
             */
            externalId: string;
            /**
             * @description The hash of the document's file, in lower-case hexadecimal.
             * @example 74e7121f592b79d2b45f1b26afaeb149587c2c8b353720d854fd6a6a250c0cfb
             */
            sha256: string;
        };
        SyncInProgressDetails: {
            /**
             * @description Its status.
             * @example open
             */
            status: string;
            /**
             * @description The sync.
             * @example syn_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            syncId: string;
        };
        /** @description A sync is in progress. */
        SyncInProgressError: components["schemas"]["Error"] & {
            /** @constant */
            code: "sync_in_progress";
            details: components["schemas"]["SyncInProgressDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "sync_in_progress";
        };
        SyncInProgressErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["SyncInProgressError"];
        SyncListReply: {
            data: components["schemas"]["Sync"][];
            meta: components["schemas"]["PageMeta"];
        };
        SyncOrPreviewReply: {
            data: components["schemas"]["Sync"] | components["schemas"]["Preview"];
        };
        SyncPlan: {
            sync: {
                /** @description New documents uploaded. */
                added: number;
                /** @description Documents with new content uploaded. */
                changed: number;
                /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
                collectionId: string;
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                createdAt: string;
                /** @description Documents moved to the trash because they are not in the manifest. */
                deleted: number;
                /** @description Entries of the manifest so far. */
                entries: number;
                /**
                 * Format: date-time
                 * @description When it expires without further requests.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                expiresAt: string;
                /** @description Requested documents that were not uploaded; for an open session: not yet uploaded. */
                failed: number;
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                finishedAt: string | null;
                /**
                 * @description Id of the session; null for a dry run, which opens none.
                 * @example syn_01kajz4v7qf3x8m2c9t5b6n0rw
                 */
                id: string | null;
                maxDeleteShare: number;
                /**
                 * @description `completing` while documents are being deleted. An `open` session expires without requests.
                 * @enum {string}
                 */
                status: "open" | "completing" | "completed" | "cancelled" | "expired";
                /** @description Documents that already have the content in the manifest. */
                unchanged: number;
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                updatedAt: string;
            };
            /** @description External ids of the other entries. */
            unchanged: string[];
            /** @description Entries of this request whose documents you must upload. */
            upload: {
                externalId: string;
                /** @enum {string} */
                reason: "new" | "changed";
            }[];
            /** @description Only for a dry run, which has the whole manifest; otherwise call `complete` with `dryRun=true`. */
            wouldDelete: {
                /** @description Number of documents that are not in the manifest. */
                count: number;
                /** @description The first hundred of them. */
                externalIds: string[];
                /** @description Whether `confirmDeletes` would be required. */
                needsConfirmation: boolean;
            } | null;
        };
        SyncPlanReply: {
            data: components["schemas"]["SyncPlan"];
        };
        SyncReply: {
            data: components["schemas"]["Sync"];
        };
        SystemMessage: {
            /** @description The instructions. The model reads them after the agent's own. */
            content: string;
            /**
             * @description Instructions for this run; they stand before all other messages.
             * @enum {string}
             */
            role: "system";
        };
        SystemMessageInput: {
            /** @description The instructions. The model reads them after the agent's own. */
            content: string;
            /**
             * @description Instructions for this run; they stand before all other messages.
             * @enum {string}
             */
            role: "system";
        };
        Team: {
            /** @description Agents limited to teams that this team can access, as for `collectionIds`. */
            agentIds: string[];
            /** @description Collections limited to teams that this team can access, in the key's environment, as far as the caller can access them. */
            collectionIds: string[];
            /**
             * Format: date-time
             * @description When the team was made.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description What the team is for. */
            description: string | null;
            /**
             * @description Id of the team.
             * @example team_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /** @description Number of its members. */
            memberCount: number;
            /** @description Name, unique in the workspace. */
            name: string;
            /**
             * Format: date-time
             * @description When the team or its members last changed.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        TeamChange: {
            /** @description What the team is for. */
            description?: string | null;
            /** @description Name, unique in the workspace. */
            name?: string;
        };
        TeamListReply: {
            data: components["schemas"]["Team"][];
            meta: components["schemas"]["PageMeta"];
        };
        TeamReply: {
            data: components["schemas"]["Team"];
        };
        TextDocument: {
            /**
             * @description JSON; unchanged if left out.
             * @example {
             *       "department": "people",
             *       "year": 2026,
             *       "reviewed": true,
             *       "validUntil": "2027-01-31",
             *       "tags": [
             *         "leave",
             *         "pay"
             *       ]
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean | string[];
            };
            /**
             * @description File name, whose ending tells the format: `leave.md`, `leave.html`, `leave.csv`. By default a new document gets its title as its name, and an existing one keeps its name.
             * @example leave.md
             */
            name?: string;
            /** @description Text of the document. The whole body may have 2 MB, and the text the upload size of the plan; send a longer text as a file. */
            text: string;
            /** @description Unchanged if left out. */
            title?: string;
        };
        TextEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description Id of the run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            runId: string;
            /** @description Index of the step in the run’s `steps`, from 0. */
            stepIndex: number;
            /** @description New text since the previous event. Joined in order, these are the whole text. */
            text: string;
            /**
             * @description Event type, the same as in the `event:` line. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text.delta" | "reasoning.delta";
        };
        TextPart: {
            /** @description The words. */
            text: string;
            /**
             * @description Words. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
        };
        TextPartInput: {
            /** @description The words. */
            text: string;
            /**
             * @description Words. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
        };
        ToolMessage: {
            /** @description Why the function returned nothing. */
            error?: string;
            /** @description What the function returned: any JSON. Send either this or `error`. */
            output?: unknown;
            /**
             * @description The result of a call of the message before.
             * @enum {string}
             */
            role: "tool";
            /**
             * @description Id of the call, unique among the messages.
             * @example call_1
             */
            toolCallId: string;
        };
        ToolMessageInput: {
            /** @description Why the function returned nothing. */
            error?: string;
            /** @description What the function returned: any JSON. Send either this or `error`. */
            output?: unknown;
            /**
             * @description The result of a call of the message before.
             * @enum {string}
             */
            role: "tool";
            /**
             * @description Id of the call, unique among the messages.
             * @example call_1
             */
            toolCallId: string;
        };
        ToolResult: {
            /** @description Why the function returned nothing. The model reads it as the result of the call, and the run continues. */
            error?: string;
            /**
             * @description What the function returned: any JSON of at most 60,000 characters, null included. Send either this or `error`.
             * @example {
             *       "status": "shipped"
             *     }
             */
            output?: unknown;
            /**
             * @description Id of the call, as the run shows it.
             * @example call_1
             */
            toolCallId: string;
        };
        ToolResults: {
            /** @description Results of some or all of the waiting calls. */
            results: components["schemas"]["ToolResult"][];
        };
        ToolStep: {
            approval?: components["schemas"]["Approval"];
            /** @description Duration, in milliseconds. */
            durationMs: number;
            /** @description Arguments of the call. */
            input: unknown;
            /** @description Name of the tool. */
            name: string;
            output: components["schemas"]["ToolStepOutput"];
            result?: components["schemas"]["SentResult"];
            /**
             * Format: date-time
             * @description When the step began.
             * @example 2026-11-21T09:30:00.000Z
             */
            startedAt: string;
            /** @description Id of the call, unique within the run; none for attached documents. */
            toolCallId?: string;
            /**
             * @description A call of a tool. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool";
        };
        /** @description What the tool returned: passages, content of its own, or an error. */
        ToolStepOutput: {
            /** @description What else the tool returned. */
            content?: unknown;
            /** @description Documents that were attached to the prompt. */
            documents?: {
                /** @description The attached document. */
                documentId: string;
                /** @description The version of it that the model was shown. */
                documentVersion: number;
                /**
                 * @description As what the model was shown it.
                 * @enum {string}
                 */
                kind: "text" | "image";
            }[];
            /** @description Why the call came to nothing. */
            error?: {
                /** @description Description of the error, as the model read it. */
                message: string;
            };
            /** @description What else is to be known of the result. */
            note?: string;
            /** @description Passages that the tool found. */
            passages?: components["schemas"]["FoundPassage"][];
            usage?: components["schemas"]["StepUsage"];
        } & {
            [key: string]: unknown;
        };
        TrashedCollection: {
            /**
             * @description Who can access it: everyone in the `workspace`, or only owners, admins and the `teams` in `teamIds`. For everyone else it does not exist.
             * @enum {string}
             */
            access: "workspace" | "teams";
            /** @description Number of searchable chunks. */
            chunkCount: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was deleted.
             * @example 2026-11-21T09:30:00.000Z
             */
            deletedAt: string;
            /** @description What it holds. */
            description: string | null;
            /** @description Number of documents, in any status. */
            documentCount: number;
            /** @description The embedding model; null for text search only. */
            embedding: string | null;
            /** @description Set while chunks lack vectors: after a change of the model, or while the provider does not answer. The server creates them in the background; until then search uses the existing vectors. */
            embeddingUpdate: {
                /** @description Why the last attempt to create them failed. */
                error: {
                    code: string;
                    message: string;
                } | null;
                /** @description The model whose vectors are missing. */
                model: string;
            } | null;
            /**
             * Format: date-time
             * @description When it is permanently erased; until then it can be restored.
             * @example 2026-11-21T09:30:00.000Z
             */
            eraseAt: string;
            /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Its name, for people. */
            name: string;
            /** @description Bytes of the current files of its documents. */
            sizeBytes: number;
            /** @description Bytes of all stored files, including earlier versions and documents in the trash. This counts towards the plan's storage. */
            storedBytes: number;
            /** @description Teams with access if `access` is `teams`; empty for owners and admins only. */
            teamIds: string[];
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        TrashedCollectionListReply: {
            data: components["schemas"]["TrashedCollection"][];
            meta: components["schemas"]["PageMeta"];
        };
        TrashedDocument: {
            /** @description Number of searchable chunks. */
            chunkCount: number;
            /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
            collectionId: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was deleted.
             * @example 2026-11-21T09:30:00.000Z
             */
            deletedAt: string;
            /**
             * @description Id of an older document of the collection with the same content.
             * @example doc_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            duplicateOf: string | null;
            /**
             * Format: date-time
             * @description When it is permanently erased; until then it can be restored.
             * @example 2026-11-21T09:30:00.000Z
             */
            eraseAt: string;
            /** @description Why it `failed`. */
            error: {
                /** @description One of the codes in the guide on error codes. */
                code: string;
                message: string;
                /** @description Whether a retry of the same file may succeed. */
                retryable: boolean;
            } | null;
            /** @description The document's id in the source system. */
            externalId: string | null;
            /** @example doc_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Media type, detected from the content. */
            mediaType: string;
            /** @description Metadata given at the upload or changed later. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The file's name. */
            name: string;
            /** @description Number of pages; null for formats without pages. */
            pageCount: number | null;
            /** @description From 0 to 1. */
            progress: number;
            /** @description The version that search finds: an earlier one until the latest is `ready`; null if no version has been `ready`. */
            servedVersion: number | null;
            /** @description Hash of the original file, in hexadecimal. */
            sha256: string;
            /** @description Bytes of the original file. */
            sizeBytes: number;
            /**
             * @description `queued`, `parsing`, `embedding` (if its collection has an embedding model), `indexing`, then `ready` or `failed`, which are final. The next search finds a `ready` document.
             * @enum {string}
             */
            status: "queued" | "parsing" | "embedding" | "indexing" | "ready" | "failed";
            /** @description Title as given, or as found in the file. */
            title: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
            /** @description Number of the latest version; grows with each new content. */
            version: number;
        };
        TrashedDocumentListReply: {
            data: components["schemas"]["TrashedDocument"][];
            meta: components["schemas"]["PageMeta"];
        };
        TusCapabilities: {
            checksumAlgorithms: ("md5" | "sha1" | "sha256")[];
            extensions: string[];
            /** @description The largest file that the plan allows. */
            maxSizeBytes: number;
            version: string;
        };
        TusCapabilitiesReply: {
            data: components["schemas"]["TusCapabilities"];
        };
        /** @description A valid API key is required: send "Authorization: Bearer sk_…". */
        UnauthenticatedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "unauthenticated";
        };
        /** @description The service is not available at the moment. */
        UnavailableError: components["schemas"]["Error"] & {
            /** @constant */
            code: "unavailable";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unavailable";
        };
        /** @description The media type is not supported. */
        UnsupportedMediaTypeError: components["schemas"]["Error"] & {
            /** @constant */
            code: "unsupported_media_type";
        };
        UpdateIntegrationConflictErrors: components["schemas"]["CollectionTakenError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["IntegrationRemovedError"] | components["schemas"]["SyncInProgressError"];
        /** @description Another request adds to the upload. */
        UploadBusyError: components["schemas"]["Error"] & {
            /** @constant */
            code: "upload_busy";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "upload_busy";
        };
        UploadBusyErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["UploadBusyError"];
        UploadDocumentForm: {
            /**
             * @description Collection for the document.
             * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            collectionId: string;
            /**
             * @description The document's id in the source system; unique in its collection.
             * @example wiki/4711
             */
            externalId?: string;
            /**
             * Format: binary
             * @description The file.
             */
            file: string;
            /**
             * @description Up to 50 fields of your own, as JSON: strings, numbers, booleans, ISO 8601 dates and lists of strings.
             * @example {
             *       "department": "people",
             *       "year": 2026,
             *       "reviewed": true,
             *       "validUntil": "2027-01-31",
             *       "tags": [
             *         "leave",
             *         "pay"
             *       ]
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean | string[];
            };
            /** @description By default taken from the file. */
            title?: string;
        };
        UploadDocumentsForm: {
            /**
             * @description Collection for the files.
             * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            collectionId: string;
            /**
             * @description `path` (the default) uses each file's path as its external id, so that sending the same files again changes nothing. `none` creates a new document for each file.
             * @default path
             * @enum {string}
             */
            externalIds?: "path" | "none";
            /** @description The files. */
            file: string[];
            /**
             * @description Up to 50 fields of your own, as JSON: strings, numbers, booleans, ISO 8601 dates and lists of strings.
             * @example {
             *       "department": "people",
             *       "year": 2026,
             *       "reviewed": true,
             *       "validUntil": "2027-01-31",
             *       "tags": [
             *         "leave",
             *         "pay"
             *       ]
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean | string[];
            };
        };
        UploadEndedDetails: {
            /**
             * @description Its status.
             * @example done
             */
            status: string;
        };
        /** @description The upload has ended. */
        UploadEndedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "upload_ended";
            details: components["schemas"]["UploadEndedDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "upload_ended";
        };
        UploadLimitDetails: {
            /**
             * @description Uploads that may be open at once.
             * @example 100
             */
            limit: number;
        };
        /** @description Too many uploads are open. */
        UploadLimitError: components["schemas"]["Error"] & {
            /** @constant */
            code: "upload_limit";
            details: components["schemas"]["UploadLimitDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "upload_limit";
        };
        UploadLimitErrors: components["schemas"]["RateLimitedError"] | components["schemas"]["UploadLimitError"];
        UploadOffsetDetails: {
            /**
             * @description Where it continues, in bytes.
             * @example 5242880
             */
            offset: number;
        };
        /** @description The upload continues at another offset. */
        UploadOffsetError: components["schemas"]["Error"] & {
            /** @constant */
            code: "upload_offset";
            details: components["schemas"]["UploadOffsetDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "upload_offset";
        };
        UrlUpload: {
            /**
             * @description Collection for the document.
             * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            collectionId: string;
            /**
             * @description The document's id in the source system; unique in its collection.
             * @example wiki/4711
             */
            externalId?: string;
            /**
             * @description Up to 50 fields of your own, as JSON: strings, numbers, booleans, ISO 8601 dates and lists of strings.
             * @example {
             *       "department": "people",
             *       "year": 2026,
             *       "reviewed": true,
             *       "validUntil": "2027-01-31",
             *       "tags": [
             *         "leave",
             *         "pay"
             *       ]
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean | string[];
            };
            /** @description By default taken from the file. */
            title?: string;
            /**
             * @description Public http or https URL of the file.
             * @example https://example.com/handbook/leave.md
             */
            url: string;
        };
        Usage: {
            /** @enum {string} */
            environment: "live" | "test";
            members: {
                /** @description Limit of the plan, in members. */
                limit: number;
                /** @description Current usage. */
                used: number;
            };
            /** @description Usage by runs in this month, of the agents that the key can access. For a key narrowed to collections, usage by its own runs. */
            month: {
                costUsd: {
                    /** @description The workspace's `monthlyCostLimitUsd`; null if there is none. */
                    limit: number | null;
                    /** @description Cost in US dollars. */
                    used: number;
                };
                /** @description Input tokens. */
                inputTokens: number;
                /**
                 * @description The current calendar month, in UTC.
                 * @example 2026-11
                 */
                name: string;
                /** @description Output tokens. */
                outputTokens: number;
                /**
                 * Format: date-time
                 * @description When the next one begins.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                resetsAt: string;
                /** @description Runs that ended in it. */
                runs: number;
                /** @description Runs whose cost is unknown. */
                unpricedRuns: number;
            };
            /** @enum {string} */
            plan: "free" | "starter" | "professional" | "enterprise";
            requestsPerMinute: {
                /** @description Requests per minute for the workspace in this environment. */
                limit: number;
                /**
                 * Format: date-time
                 * @description When the window ends.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                resetsAt: string;
                /** @description Requests in the current window, including this one. */
                used: number;
            };
            runsAtOnce: {
                /** @description Limit of the plan, in runs that are queued or running in this environment. */
                limit: number;
                /** @description Current usage by the whole workspace; null for a key narrowed to agents or collections. */
                used: number | null;
            };
            storageBytes: {
                /** @description Limit of the plan, in bytes of documents and of the texts of runs in this environment. */
                limit: number;
                /** @description Current usage by the whole workspace; null for a key narrowed to agents or collections. */
                used: number | null;
            };
            uploadBytes: {
                /** @description The largest file, in bytes. */
                limit: number;
            };
        };
        UsageReply: {
            data: components["schemas"]["Usage"];
        };
        UsageRow: {
            /** @description Cost in US dollars; null if `runs` is. */
            costUsd: number | null;
            /** @description Documents at the end of the period; null by key and agent, and if not measured. */
            documents: number | null;
            /** @description Input tokens; null where `runs` is. */
            inputTokens: number | null;
            /** @description Output tokens; null where `runs` is. */
            outputTokens: number | null;
            /**
             * @description A day such as `2026-11-21`, a month such as `2026-11`, or the first and last day separated by a slash.
             * @example 2026-11-21
             */
            period: string;
            /** @description Accepted requests; null by agent and collection, because requests do not belong to these. */
            requests: number | null;
            /** @description Ended runs. By collection: runs that read passages of its documents, and null for a narrowed key. */
            runs: number | null;
            /** @description Bytes of all files stored at the end of the period, including earlier versions and the trash. */
            storageBytes: number | null;
            /** @description Whose usage it is; null if the rows are not grouped. */
            subject: {
                /** @description Its id; null for the system. */
                id: string | null;
                /** @description Its name; the last known name if it has been deleted. */
                name: string | null;
                /** @enum {string} */
                type: "key" | "person" | "system" | "agent" | "collection";
            } | null;
            /** @description Runs whose cost is unknown; null where `runs` is. */
            unpricedRuns: number | null;
        };
        UsageRowListReply: {
            data: components["schemas"]["UsageRow"][];
            meta: components["schemas"]["PageMeta"];
        };
        UserMessage: {
            /** @description Text, or parts: texts, images and documents. */
            content: string | components["schemas"]["MessagePart"][];
            /**
             * @description What the user said.
             * @enum {string}
             */
            role: "user";
        };
        /** @description Validation failed. */
        ValidationFailedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "validation_failed";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "validation_failed";
        };
        /** @description These collections have no usable vectors. */
        VectorUnavailableError: components["schemas"]["Error"] & {
            /** @constant */
            code: "vector_unavailable";
        };
        VerifiedCitation: {
            /** @example doc_01kajz4v7qf3x8m2c9t5b6n0rw */
            documentId: string;
            /** @description The version that was checked. */
            documentVersion: number | null;
            /** @description End of the quote, exclusive. */
            endOffset: number | null;
            /** @description Start of the quote, in code points of the text. */
            startOffset: number | null;
            /**
             * @description `verified`: the quote is there word for word. `moved`: it is elsewhere in this version. `changed`: this version does not contain it. `missing`: there is no such document, version or text.
             * @enum {string}
             */
            status: "verified" | "moved" | "changed" | "missing";
        };
        VerifiedCitationReply: {
            data: components["schemas"]["VerifiedCitation"][];
        };
        VersionWithoutTextDetails: {
            /**
             * @description The status of the document.
             * @example failed
             */
            status: string;
            /**
             * @description The version.
             * @example 2
             */
            version: number;
        };
        /** @description The version has no text. */
        VersionWithoutTextError: components["schemas"]["Error"] & {
            /** @constant */
            code: "version_without_text";
            details: components["schemas"]["VersionWithoutTextDetails"];
        };
        Webhook: {
            /** @description Set if a key narrowed to agents created it: it receives only events of their runs. */
            agentIds: string[] | null;
            /** @description Set if a key narrowed to collections created it: it receives only events of these collections. */
            collectionIds: string[] | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description What the endpoint is for, for people. */
            description: string | null;
            /**
             * @description Why it is not enabled: by a change (`manual`), because it answered 410 (`gone`), because nothing was delivered for five days (`failing`), or because the member who made it was removed or may no longer manage webhooks (`creator_lost_access`).
             * @enum {string|null}
             */
            disabledReason: "manual" | "gone" | "failing" | "creator_lost_access" | null;
            /** @description Whether events are sent. You can replay events from the time while it was disabled. */
            enabled: boolean;
            /**
             * @description Environment of its events.
             * @enum {string}
             */
            environment: "live" | "test";
            /** @description Event types to send. `run.*` stands for all types of runs, and `*` for all; both cover types to come. Each type needs the permission to read its records, such as `agents:read` for runs; `*` leaves out what the key may not read. */
            eventTypes: ("*" | "run.*" | "document.*" | "collection.*" | "connection.*" | "member.*" | "key.*" | "limit.*" | "webhook.*" | "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled")[];
            /**
             * Format: date-time
             * @description When deliveries started failing; null while they succeed.
             * @example 2026-11-21T09:30:00.000Z
             */
            failingSince: string | null;
            /** @example whk_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /**
             * Format: date-time
             * @description Until when deliveries also carry a signature with the previous secret.
             * @example 2026-11-21T09:30:00.000Z
             */
            previousSecretExpiresAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
            /**
             * @description Where events are sent by POST. Private addresses are refused unless the operator allows them; redirects are not followed.
             * @example https://example.com/hooks/atrium
             */
            url: string;
        };
        WebhookChange: {
            /** @description What the endpoint is for, for people. */
            description?: string | null;
            /** @description Whether events are sent. You can replay events from the time while it was disabled. */
            enabled?: boolean;
            /** @description Event types to send. `run.*` stands for all types of runs, and `*` for all; both cover types to come. Each type needs the permission to read its records, such as `agents:read` for runs; `*` leaves out what the key may not read. */
            eventTypes?: ("*" | "run.*" | "document.*" | "collection.*" | "connection.*" | "member.*" | "key.*" | "limit.*" | "webhook.*" | "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled")[];
            /**
             * @description Where events are sent by POST. Private addresses are refused unless the operator allows them; redirects are not followed.
             * @example https://example.com/hooks/atrium
             */
            url?: string;
        };
        WebhookDelivery: {
            /** @description Number of attempts. */
            attemptCount: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Why it `failed`; null otherwise. */
            error: string | null;
            /**
             * @description Id of the event, sent as `webhook-id` with every attempt, so that a receiver can recognise repeats.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            eventId: string;
            /** @enum {string} */
            eventType: "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled" | "webhook.test";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            finishedAt: string | null;
            /** @example whd_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /**
             * Format: date-time
             * @description When the next attempt starts; null once it has ended.
             * @example 2026-11-21T09:30:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * @description Why it was sent.
             * @enum {string}
             */
            origin: "event" | "test" | "redelivery" | "replay";
            /**
             * @description Failed attempts are repeated. `failed` means that no more attempts follow.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @example whk_01kajz4v7qf3x8m2c9t5b6n0rw */
            webhookId: string;
        };
        WebhookDeliveryDetail: {
            /** @description Number of attempts. */
            attemptCount: number;
            /** @description Attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description The body that is sent; null if the event is no longer stored. */
            body: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Why it `failed`; null otherwise. */
            error: string | null;
            /**
             * @description Id of the event, sent as `webhook-id` with every attempt, so that a receiver can recognise repeats.
             * @example evt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            eventId: string;
            /** @enum {string} */
            eventType: "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled" | "webhook.test";
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            finishedAt: string | null;
            /** @example whd_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /**
             * Format: date-time
             * @description When the next attempt starts; null once it has ended.
             * @example 2026-11-21T09:30:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * @description Why it was sent.
             * @enum {string}
             */
            origin: "event" | "test" | "redelivery" | "replay";
            /**
             * @description Failed attempts are repeated. `failed` means that no more attempts follow.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @example whk_01kajz4v7qf3x8m2c9t5b6n0rw */
            webhookId: string;
        };
        WebhookDeliveryDetailReply: {
            data: components["schemas"]["WebhookDeliveryDetail"];
        };
        WebhookDeliveryListReply: {
            data: components["schemas"]["WebhookDelivery"][];
            meta: components["schemas"]["PageMeta"];
        };
        WebhookDeliveryReply: {
            data: components["schemas"]["WebhookDelivery"];
        };
        WebhookDisabledDetails: {
            /**
             * @description The endpoint.
             * @example whk_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            webhookId: string;
        };
        /** @description The endpoint is disabled. */
        WebhookDisabledError: components["schemas"]["Error"] & {
            /** @constant */
            code: "webhook_disabled";
            details: components["schemas"]["WebhookDisabledDetails"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "webhook_disabled";
        };
        WebhookDisabledErrors: components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["IdempotencyInterruptedError"] | components["schemas"]["WebhookDisabledError"];
        WebhookListReply: {
            data: components["schemas"]["Webhook"][];
            meta: components["schemas"]["PageMeta"];
        };
        WebhookReplay: {
            /** @description Number of events sent again. */
            eventCount: number;
            /** @example whk_01kajz4v7qf3x8m2c9t5b6n0rw */
            webhookId: string;
        };
        WebhookReplayReply: {
            data: components["schemas"]["WebhookReplay"];
        };
        WebhookReplayRequest: {
            /**
             * Format: date-time
             * @description Events at or after this instant.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAfter: string;
            /**
             * Format: date-time
             * @description Events before this instant; now by default.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdBefore?: string;
        };
        WebhookReply: {
            data: components["schemas"]["Webhook"];
        };
        WebhookWithSecret: {
            /** @description Set if a key narrowed to agents created it: it receives only events of their runs. */
            agentIds: string[] | null;
            /** @description Set if a key narrowed to collections created it: it receives only events of these collections. */
            collectionIds: string[] | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description What the endpoint is for, for people. */
            description: string | null;
            /**
             * @description Why it is not enabled: by a change (`manual`), because it answered 410 (`gone`), because nothing was delivered for five days (`failing`), or because the member who made it was removed or may no longer manage webhooks (`creator_lost_access`).
             * @enum {string|null}
             */
            disabledReason: "manual" | "gone" | "failing" | "creator_lost_access" | null;
            /** @description Whether events are sent. You can replay events from the time while it was disabled. */
            enabled: boolean;
            /**
             * @description Environment of its events.
             * @enum {string}
             */
            environment: "live" | "test";
            /** @description Event types to send. `run.*` stands for all types of runs, and `*` for all; both cover types to come. Each type needs the permission to read its records, such as `agents:read` for runs; `*` leaves out what the key may not read. */
            eventTypes: ("*" | "run.*" | "document.*" | "collection.*" | "connection.*" | "member.*" | "key.*" | "limit.*" | "webhook.*" | "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled")[];
            /**
             * Format: date-time
             * @description When deliveries started failing; null while they succeed.
             * @example 2026-11-21T09:30:00.000Z
             */
            failingSince: string | null;
            /** @example whk_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /**
             * Format: date-time
             * @description Until when deliveries also carry a signature with the previous secret.
             * @example 2026-11-21T09:30:00.000Z
             */
            previousSecretExpiresAt: string | null;
            /** @description Secret for verifying deliveries: `whsec_` and 32 bytes in base64. Only the reply that makes it has it; a replayed reply leaves it out. */
            secret?: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
            /**
             * @description Where events are sent by POST. Private addresses are refused unless the operator allows them; redirects are not followed.
             * @example https://example.com/hooks/atrium
             */
            url: string;
        };
        WebhookWithSecretReply: {
            data: components["schemas"]["WebhookWithSecret"];
        };
        Workspace: {
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it will be erased; null unless an owner has deleted it.
             * @example 2026-11-21T09:30:00.000Z
             */
            deletesAt: string | null;
            /** @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Budget for the runs of an environment in a calendar month (UTC), in US dollars; null for no limit. 0 allows only runs on models that cost nothing. */
            monthlyCostLimitUsd: number | null;
            /** @description Its name, for people. */
            name: string;
            /**
             * @description The plan, which sets its limits.
             * @enum {string}
             */
            plan: "free" | "starter" | "professional" | "enterprise";
            /** @description Name in URLs and on the command line; unique on this server. */
            slug: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        WorkspaceChange: {
            /** @description Budget for the runs of an environment in a calendar month (UTC), in US dollars; null for no limit. 0 allows only runs on models that cost nothing. */
            monthlyCostLimitUsd?: number | null;
            /** @description Name for people. Changing it does not change the slug. */
            name?: string;
        };
        /** @description The workspace is deleted; an owner can restore it in the console until it is erased. */
        WorkspaceDeletedError: components["schemas"]["Error"] & {
            /** @constant */
            code: "workspace_deleted";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "workspace_deleted";
        };
        WorkspaceDeletion: {
            /** @description The slug of the workspace; required without `dryRun=true`. */
            confirm?: string;
        };
        WorkspaceOrPreviewReply: {
            data: components["schemas"]["Workspace"] | components["schemas"]["Preview"];
        };
        WorkspaceReply: {
            data: components["schemas"]["Workspace"];
        };
    };
    responses: {
        /** @description `already_member`: The person is a member of the workspace already. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `invitation_ended`: The invitation is answered, revoked or expired. */
        AcceptInvitationConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AcceptInvitationConflictErrors"];
            };
        };
        /** @description `already_exists`: A record with this value exists already. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        AlreadyExists: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlreadyExistsErrors"];
            };
        };
        /** @description `already_exists`: A record with this value exists already. `concurrent_change`: Another request changed the record at the same time. `document_in_progress`: The document is being processed. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `upload_busy`: Another request adds to the upload. `upload_ended`: The upload has ended. `upload_offset`: The upload continues at another offset. */
        AppendToUploadConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AppendToUploadConflictErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `limit_reached`: The limit of these records is reached. `run_in_progress`: The run has not ended yet. */
        BranchConversationConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BranchConversationConflictErrors"];
            };
        };
        /** @description `checksum_mismatch`: The checksum of the bytes does not match the request. */
        ChecksumMismatch: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChecksumMismatchError"];
            };
        };
        /** @description `delete_guard`: The sync would delete more documents than it may without confirmation. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `sync_ended`: The sync has ended. */
        CompleteSyncConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CompleteSyncConflictErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `integration_not_configured`: The operator has not configured this integration. `limit_reached`: The limit of these records is reached. */
        ConnectIntegrationConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConnectIntegrationConflictErrors"];
            };
        };
        /** @description `connection_not_active`: The connection is not active. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        ConnectionNotActive: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConnectionNotActiveErrors"];
            };
        };
        /** @description `conversation_busy`: A run of the conversation is in progress. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        ConversationBusy: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConversationBusyErrors"];
            };
        };
        /** @description `already_exists`: A record with this value exists already. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `limit_reached`: The limit of these records is reached. */
        CreateModelProviderConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateModelProviderConflictErrors"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `member_limit`: The plan's limit of members is reached. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `sandbox_forbidden`: A test key cannot do this. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        CreateServiceAccountForbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateServiceAccountForbiddenErrors"];
            };
        };
        /** @description `already_exists`: A record with this value exists already. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `limit_reached`: The limit of these records is reached. */
        CreateTeamConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateTeamConflictErrors"];
            };
        };
        /** @description `already_exists`: A record with this value exists already. `concurrent_change`: Another request changed the record at the same time. `document_in_progress`: The document is being processed. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `upload_busy`: Another request adds to the upload. `upload_offset`: The upload continues at another offset. */
        CreateUploadConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateUploadConflictErrors"];
            };
        };
        /** @description `already_exists`: A record with this value exists already. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `limit_reached`: The limit of these records is reached. */
        CreateWebhookConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateWebhookConflictErrors"];
            };
        };
        /** @description `credentials_rejected`: The service refused the credentials. `idempotency_mismatch`: This Idempotency-Key was used with another request. */
        CredentialsRejected: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CredentialsRejectedErrors"];
            };
        };
        /** @description `document_in_progress`: The document is being processed. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        DocumentInProgress: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DocumentInProgressErrors"];
            };
        };
        /** @description `document_not_failed`: Only a failed document can be tried again. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        DocumentNotFailed: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DocumentNotFailedErrors"];
            };
        };
        /** @description `event_expired`: The event is not kept any more. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        EventExpired: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EventExpiredErrors"];
            };
        };
        /** @description `limit_reached`: The limit of these records is reached. */
        ExportCollectionConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LimitReachedError"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        Forbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenErrors"];
            };
        };
        /** @description `version_without_text`: The version has no text. */
        GetDocumentContentConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["VersionWithoutTextError"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `sandbox_forbidden`: A test key cannot do this. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        GetModelProviderForbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GetModelProviderForbiddenErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        IdempotencyConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyConflictErrors"];
            };
        };
        /** @description `idempotency_mismatch`: This Idempotency-Key was used with another request. */
        IdempotencyMismatch: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyMismatchError"];
            };
        };
        /** @description `integration_unreachable`: The service could not be reached. `unavailable`: The service is not available at the moment. */
        IntegrationUnreachable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IntegrationUnreachableErrors"];
            };
        };
        /** @description `internal_error`: Something went wrong on our side. */
        InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description `malformed_multipart`: The body is not valid multipart/form-data. `validation_failed`: Validation failed. */
        InvalidForm: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidFormErrors"];
            };
        };
        /** @description `malformed_json`: The body is not valid JSON. `validation_failed`: Validation failed. */
        InvalidJsonRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidJsonRequestErrors"];
            };
        };
        /** @description `validation_failed`: Validation failed. */
        InvalidRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationFailedError"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `invitation_ended`: The invitation is answered, revoked or expired. */
        InvitationEnded: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvitationEndedErrors"];
            };
        };
        /** @description `already_invited`: The address is invited already. `already_member`: The person is a member of the workspace already. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        InviteMemberConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InviteMemberConflictErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `key_revoked`: The key is revoked. */
        KeyRevoked: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyRevokedErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `last_owner`: A workspace needs at least one owner. */
        LastOwner: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LastOwnerErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `last_owner`: A workspace needs at least one owner. `membership_ended`: The caller is no member of the workspace any more. */
        LeaveWorkspaceConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LeaveWorkspaceConflictErrors"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `sandbox_forbidden`: A test key cannot do this. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        LeaveWorkspaceForbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LeaveWorkspaceForbiddenErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `limit_reached`: The limit of these records is reached. */
        LimitReached: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LimitReachedErrors"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `sandbox_forbidden`: A test key cannot do this. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        ListModelProvidersForbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ListModelProvidersForbiddenErrors"];
            };
        };
        /** @description `malformed_json`: The body is not valid JSON. `malformed_multipart`: The body is not valid multipart/form-data. `validation_failed`: Validation failed. */
        MalformedJson: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MalformedJsonErrors"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `member_limit`: The plan's limit of members is reached. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        MemberLimit: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MemberLimitErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `member_required`: Only a member can do this. */
        MemberRequired: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MemberRequiredErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `membership_ended`: The caller is no member of the workspace any more. */
        MembershipEnded: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MembershipEndedErrors"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `plan_required`: API access needs the Starter plan or above. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        NoAccess: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NoAccessErrors"];
            };
        };
        /** @description `not_acceptable`: The server can return none of the accepted media types. */
        NotAcceptable: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotAcceptableError"];
            };
        };
        /** @description `not_found`: Not found. */
        NotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `not_in_trash`: The record is not in the trash. */
        NotInTrash: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotInTrashErrors"];
            };
        };
        /** @description The client has the reply as it is: it still has the ETag that `If-None-Match` names. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `payload_too_large`: The body is too large. */
        PayloadTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** @description `precondition_failed`: The record has changed since the ETag in If-Match was read. */
        PreconditionFailed: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PreconditionFailedError"];
            };
        };
        /** @description `concurrent_change`: Another request changed the record at the same time. `document_in_progress`: The document is being processed. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        PutDocumentConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PutDocumentConflictErrors"];
            };
        };
        /** @description `range_not_satisfiable`: The file ends before the range. */
        RangeNotSatisfiable: {
            headers: {
                "Content-Range": components["headers"]["Content-Range"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RangeNotSatisfiableError"];
            };
        };
        /** @description `rate_limited`: Too many requests. */
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description `concurrent_change`: Another request changed the record at the same time. `connection_not_active`: The connection is not active. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `integration_not_configured`: The operator has not configured this integration. `integration_removed`: This server does not offer the integration any more. */
        ReconnectIntegrationConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReconnectIntegrationConflictErrors"];
            };
        };
        /** @description `event_expired`: The event is not kept any more. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `webhook_disabled`: The endpoint is disabled. */
        RedeliverWebhookDeliveryConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RedeliverWebhookDeliveryConflictErrors"];
            };
        };
        /** @description `request_timeout`: The request took too long to arrive. */
        RequestTimeout: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestTimeoutError"];
            };
        };
        /** @description `agent_deleted`: The agent is deleted. `agent_paused`: The agent is paused. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `price_unknown`: The price of the model is not known. */
        RerunRunConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RerunRunConflictErrors"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `budget_exceeded`: The budget of this month is used up. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `storage_limit`: The plan's storage is used up. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        RerunRunForbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RerunRunForbiddenErrors"];
            };
        };
        /** @description `already_invited`: The address is invited already. `already_member`: The person is a member of the workspace already. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `invitation_ended`: The invitation is answered, revoked or expired. */
        ResendInvitationConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ResendInvitationConflictErrors"];
            };
        };
        /** @description `already_exists`: A record with this value exists already. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `not_in_trash`: The record is not in the trash. */
        RestoreDocumentConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RestoreDocumentConflictErrors"];
            };
        };
        /** @description `agent_paused`: The agent is paused. `conversation_busy`: A run of the conversation is in progress. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `price_unknown`: The price of the model is not known. */
        RunAgentConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunAgentConflictErrors"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `budget_exceeded`: The budget of this month is used up. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `storage_limit`: The plan's storage is used up. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        RunAgentForbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunAgentForbiddenErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `run_ended`: The run has ended, or waits for nothing. */
        RunEnded: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunEndedErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `run_in_progress`: The run has not ended yet. */
        RunInProgress: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunInProgressErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `run_is_part`: The run is a part of another one. */
        RunIsPart: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunIsPartErrors"];
            };
        };
        /** @description `rate_limited`: Too many requests. `run_limit`: The plan's limit of simultaneous runs is reached. */
        RunLimit: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunLimitErrors"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `sandbox_forbidden`: A test key cannot do this. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        SandboxForbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SandboxForbiddenErrors"];
            };
        };
        /** @description `embedding_unavailable`: The embedding model does not answer at the moment. `unavailable`: The service is not available at the moment. */
        SearchKnowledgeUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SearchKnowledgeUnavailableErrors"];
            };
        };
        /** @description `vector_unavailable`: These collections have no usable vectors. */
        SearchKnowledgeUnprocessable: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["VectorUnavailableError"];
            };
        };
        /** @description `collection_deleted`: The collection of the connection is deleted. `collection_taken`: Another connection keeps the collection in sync. `concurrent_change`: Another request changed the record at the same time. `connection_not_active`: The connection is not active. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `nothing_to_sync`: The integration has nothing to keep in sync. `sync_in_progress`: A sync is in progress. */
        StartConnectionSyncConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StartConnectionSyncConflictErrors"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `storage_limit`: The plan's storage is used up. `workspace_deleted`: The workspace is deleted; an owner can restore it in the console until it is erased. */
        StorageLimit: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StorageLimitErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `sync_ended`: The sync has ended. */
        SyncEnded: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SyncEndedErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `sync_in_progress`: A sync is in progress. */
        SyncInProgress: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SyncInProgressErrors"];
            };
        };
        /** @description `unauthenticated`: A valid API key is required: send "Authorization: Bearer sk_…". */
        Unauthenticated: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthenticatedError"];
            };
        };
        /** @description `unavailable`: The service is not available at the moment. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableError"];
            };
        };
        /** @description `unsupported_media_type`: The media type is not supported. */
        UnsupportedMediaType: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
        /** @description `collection_taken`: Another connection keeps the collection in sync. `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `integration_removed`: This server does not offer the integration any more. `sync_in_progress`: A sync is in progress. */
        UpdateIntegrationConflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UpdateIntegrationConflictErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `upload_busy`: Another request adds to the upload. */
        UploadBusy: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UploadBusyErrors"];
            };
        };
        /** @description `rate_limited`: Too many requests. `upload_limit`: Too many uploads are open. */
        UploadLimit: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UploadLimitErrors"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `webhook_disabled`: The endpoint is disabled. */
        WebhookDisabled: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookDisabledErrors"];
            };
        };
    };
    parameters: {
        /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
        After: string;
        /** @description The id of the agent. */
        AgentId: string;
        /** @description The id of the collection. */
        CollectionId: string;
        /** @description The id of the connection. */
        ConnectionId: string;
        /** @description Number of bytes in this request. */
        ContentLength: number;
        /** @description The id of the conversation. */
        ConversationId: string;
        /** @description The id of the document. */
        DocumentId: string;
        /** @description Returns what the call would do, and changes nothing. */
        DryRun: boolean;
        /** @description The id of the event. */
        EventId: string;
        /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
        IdempotencyKey: string;
        /** @description ETag that you read: 412 if the record has changed since. */
        IfMatch: string;
        /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
        IfNoneMatch: string;
        /** @description ETag of the file that you have a part of: if it has changed, the whole file comes. */
        IfRange: string;
        /** @description The id of the import. */
        ImportId: string;
        /** @description The id of the invitation. */
        InvitationId: string;
        /** @description The id of the key. */
        KeyId: string;
        /** @description The `id` of the last event that arrived. */
        LastEventID: string;
        /** @description The id of the member. */
        MemberId: string;
        /** @description The id of the model provider. */
        ModelProviderId: string;
        /** @description The page, from 1. */
        Page: number;
        /** @description Items per page. */
        PageSize: number;
        /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
        Prefer: string;
        /** @description The part of the file to send, in bytes from 0, both ends included. */
        Range: string;
        /** @description The id of the run. */
        RunId: string;
        /** @description The id of the sync. */
        SyncId: string;
        /** @description The id of the team. */
        TeamId: string;
        /** @description The id of the template. */
        TemplateId: string;
        /** @description The version of the protocol: `1.0.0`. Without it, or with another one, POST, HEAD, PATCH and DELETE answer 412 with `Tus-Version`. */
        TusResumable: string;
        /** @description An algorithm (md5, sha1, sha256), a space, and the checksum of this request's bytes in Base64: bytes that have another one are not kept. */
        UploadChecksum: string;
        /** @description The id of the upload. */
        UploadId: string;
        /** @description Bytes of the whole file. */
        UploadLength: number;
        /** @description Comma-separated pairs of a name and a Base64 value: `filename` and `collectionId`, optionally `externalId`, `title`, `metadata` (JSON) and `filetype`. */
        UploadMetadata: string;
        /** @description Offset of the bytes: the last offset from the server. */
        UploadOffset: number;
        /** @description Id of the event, the same with every attempt. */
        "webhook-id": string;
        /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
        "webhook-signature": string;
        /** @description When the attempt was made, in Unix epoch seconds. */
        "webhook-timestamp": string;
        /** @description The id of the webhook delivery. */
        WebhookDeliveryId: string;
        /** @description The id of the webhook. */
        WebhookId: string;
    };
    requestBodies: never;
    headers: {
        /** @description `bytes` if `Range` can ask for a part of the file, otherwise `none`. */
        "Accept-Ranges": string;
        /** @description The part that is sent and the size of the file; after a 416 the size alone. */
        "Content-Range": string;
        /** @description Names what the reply shows: for `If-None-Match`, and if it is a record, for `If-Match`. Of a compressed reply it begins with `W/`. */
        ETag: string;
        /** @description `true` if this is the stored reply of an earlier request. */
        "Idempotency-Replayed": string;
        /** @description URL of the record. */
        Location: string;
        /** @description The preference of `Prefer` that was applied. */
        "Preference-Applied": string;
        /** @description Seconds to wait before the next try. */
        "Retry-After": number;
        /** @description How to authenticate. */
        "WWW-Authenticate": string;
        /** @description Requests allowed in the window of one minute. */
        "X-RateLimit-Limit": number;
        /** @description Requests left in the window. */
        "X-RateLimit-Remaining": number;
        /** @description When the window ends, in Unix epoch seconds. */
        "X-RateLimit-Reset": number;
        /** @description Id of this request in the log and the audit log. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAgents: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of agents; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Support",
                 *       "instructions": "Answer customers kindly and briefly."
                 *     }
                 */
                "application/json": components["schemas"]["NewAgent"];
            };
        };
        responses: {
            /** @description The new agent; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The agent is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "instructions": "Answer customers kindly, briefly and in their language."
                 *     }
                 */
                "application/json": components["schemas"]["AgentChange"];
            };
        };
        responses: {
            /** @description The agent after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LimitReached"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "revision": 2
                 *     }
                 */
                "application/json": components["schemas"]["Publication"];
            };
        };
        responses: {
            /** @description The agent, whose new runs use the revision. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgentRevisions: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of agent revisions; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentRevisionListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentRevision: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: components["parameters"]["AgentId"];
                /** @description The number of the revision. */
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revision with its content, and what changed in it. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentRevisionDetailReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    runAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the agent. */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "How many days of leave do I have?"
                 *     }
                 */
                "application/json": components["schemas"]["NewRun"];
            };
        };
        responses: {
            /** @description The run, which has ended; or its events, if `Accept` asks for them. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            /** @description The run so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["RunAgentForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["RunAgentConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RunLimit"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description Only runs of this conversation. */
                conversationId?: string;
                /** @description Only runs made at or after this instant. */
                createdAfter?: string;
                /** @description Only runs made before this instant. */
                createdBefore?: string;
                /** @description Only runs of this end user. */
                endUserId?: string;
                /** @description Adds `steps`, `citations` or `steps,citations` to each run. */
                expand?: string;
                /** @description Only runs with this rating. */
                feedback?: "positive" | "negative";
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only runs in this state. */
                status?: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled";
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the agent. */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of runs; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedRunListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgentTemplates: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of agent templates; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentTemplateListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    installAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the template. */
                template: components["parameters"]["TemplateId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Handbook"
                 *     }
                 */
                "application/json": components["schemas"]["AgentInstallation"];
            };
        };
        responses: {
            /** @description The new agent; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLastRuns: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of last runs; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LastRunListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgentTools: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of agent tools; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentToolListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of API keys; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "permissions": [
                 *         "knowledge:read",
                 *         "knowledge:write"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The new API key with its secret; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecretReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["MemberRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the key. */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the key. */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import of the wiki"
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyChange"];
            };
        };
        responses: {
            /** @description The API key after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the key. */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key after the call. With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyOrPreviewReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the key. */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlapSeconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["Rotation"];
            };
        };
        responses: {
            /** @description The API key with its secret after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecretReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["KeyRevoked"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Only this action. */
                action?: string;
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description Only changes made with this key. */
                keyId?: string;
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only changes by this request, including each file of an upload. */
                requestId?: string;
                /** @description Only changes to this record. */
                resourceId?: string;
                /** @description Only this person's changes. */
                userId?: string;
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of audit entries; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCallbackDeliveries: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description Only deliveries of this type of event, or of a kind: `run.*`. */
                eventType?: "*" | "run.*" | "document.*" | "collection.*" | "connection.*" | "member.*" | "key.*" | "limit.*" | "webhook.*" | "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled" | "webhook.test";
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only deliveries of this run. */
                runId?: string;
                /** @description Only deliveries of this status. */
                status?: "pending" | "delivered" | "failed";
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of callback deliveries; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackDeliveryListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallbackDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the webhook delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The callback delivery as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackDeliveryDetailReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverCallback: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the webhook delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The callback delivery so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackDeliveryReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["EventExpired"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallbackSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The callback secret as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackSecretReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateCallbackSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlapSeconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The shown callback secret after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownCallbackSecretReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description Only conversations with this agent. */
                agentId?: string;
                /** @description Only conversations begun at or after this instant. */
                createdAfter?: string;
                /** @description Only conversations begun before this instant. */
                createdBefore?: string;
                /** @description Only conversations of this end user. */
                endUserId?: string;
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of conversations; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the conversation. */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteConversation: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the conversation. */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The conversation is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["ConversationBusy"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the conversation. */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Leave in summer"
                 *     }
                 */
                "application/json": components["schemas"]["ConversationChange"];
            };
        };
        responses: {
            /** @description The conversation after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    branchConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the conversation. */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "runId": "run_01kajz4v7qf3x8m2c9t5b6n0rw"
                 *     }
                 */
                "application/json": components["schemas"]["NewBranch"];
            };
        };
        responses: {
            /** @description The new conversation; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["BranchConversationConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConversationRuns: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description Adds `steps`, `citations` or `steps,citations` to each run. */
                expand?: string;
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the conversation. */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of runs; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedRunListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description Only events of this agent. */
                agentId?: string;
                /** @description Only events of this collection. */
                collectionId?: string;
                /** @description Only events at or after this instant. */
                createdAfter?: string;
                /** @description Only events before this instant. */
                createdBefore?: string;
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only events of this type, or of a kind: `run.*`. `*` stands for all. */
                type?: "*" | "run.*" | "document.*" | "collection.*" | "connection.*" | "member.*" | "key.*" | "limit.*" | "webhook.*" | "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled" | "webhook.test";
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of events; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the event. */
                id: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description Only connections of this integration. */
                integrationId?: string;
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only connections in this status. */
                status?: "pending" | "active" | "needs_reauth" | "failed" | "revoked" | "expired";
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of connections; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the connection. */
                id: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disconnectIntegration: {
        parameters: {
            query?: {
                /** @description What happens to the documents; `keep` by default. */
                documents?: "keep" | "trash";
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the connection. */
                id: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The connection is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the connection. */
                id: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sync": {
                 *         "everyMinutes": 60
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConnectionChange"];
            };
        };
        responses: {
            /** @description The connection after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["UpdateIntegrationConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reconnectIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the connection. */
                id: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "flow": "browser"
                 *     }
                 */
                "application/json": components["schemas"]["Reconnection"];
            };
        };
        responses: {
            /** @description The connection, and where a person grants access if it needs that. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedConnectionReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ReconnectIntegrationConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CredentialsRejected"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["IntegrationUnreachable"];
        };
    };
    startConnectionSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the connection. */
                id: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["NewConnectionSync"];
            };
        };
        responses: {
            /** @description The connection sync after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionSyncReply"];
                };
            };
            /** @description The connection sync so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionSyncReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["StartConnectionSyncConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConnectionSyncs: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only syncs in this status. */
                status?: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the connection. */
                id: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of connection syncs; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionSyncListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConnectionSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the connection. */
                id: components["parameters"]["ConnectionId"];
                /** @description The id of the sync. */
                syncId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection sync as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionSyncReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelConnectionSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the connection. */
                id: components["parameters"]["ConnectionId"];
                /** @description The id of the sync. */
                syncId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection sync after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionSyncReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConnectionSyncItems: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only items in this status. `gone`: items whose documents a sync would remove now, as counted by `confirmDeletes`. */
                status?: "failed" | "synced" | "pending" | "gone";
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the connection. */
                id: components["parameters"]["ConnectionId"];
                /** @description The id of the sync. */
                syncId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of connection items; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionItemListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the connection. */
                id: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the service accepted the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionTestReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["ConnectionNotActive"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIntegrationCatalog: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of catalog entries; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogEntryListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    connectIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "integrationId": "github",
                 *       "name": "Company repositories"
                 *     }
                 */
                "application/json": components["schemas"]["NewConnection"];
            };
        };
        responses: {
            /** @description The connection, and where a person grants access if it needs that. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedConnectionReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConnectIntegrationConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CredentialsRejected"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["IntegrationUnreachable"];
        };
    };
    verifyCitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "citations": [
                 *         {
                 *           "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                 *           "documentVersion": 1,
                 *           "quote": "Everybody has 28 days of paid leave a year.",
                 *           "startOffset": 210,
                 *           "endOffset": 253
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CitationsToVerify"];
            };
        };
        responses: {
            /** @description Whether each quote still stands, in the order in which they were sent. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedCitationReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of collections; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Handbook",
                 *       "description": "How we work."
                 *     }
                 */
                "application/json": components["schemas"]["NewCollection"];
            };
        };
        responses: {
            /** @description The new collection; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCollection: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
                /** @description Permanently erases it with all its text, versions, files, and quotes inside runs. Works for items in the trash too. */
                erase?: boolean;
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The collection is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Handbook 2027"
                 *     }
                 */
                "application/json": components["schemas"]["CollectionChange"];
            };
        };
        responses: {
            /** @description The collection after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LimitReached"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocumentByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The document's id in the source system: any text of up to 500 characters, percent-encoded (a slash is `%2F`). */
                externalId: string;
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description 412 if the document already exists. */
                "If-None-Match"?: "*";
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The document's id in the source system: any text of up to 500 characters, percent-encoded (a slash is `%2F`). */
                externalId: string;
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Leave and holidays",
                 *       "text": "# Leave\n\nEverybody has 28 days of paid leave a year.\n",
                 *       "metadata": {
                 *         "department": "people"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TextDocument"];
                /**
                 * @example {
                 *       "file": "Every full-time employee has 27 days of paid annual leave a year.",
                 *       "title": "Leave and holidays",
                 *       "metadata": {
                 *         "department": "support",
                 *         "year": 2026
                 *       }
                 *     }
                 */
                "multipart/form-data": components["schemas"]["PutDocumentForm"];
            };
        };
        responses: {
            /** @description The document after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            /** @description The new document; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            400: components["responses"]["MalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StorageLimit"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["PutDocumentConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDocumentByExternalId: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
                /** @description Permanently erases it with all its text, versions, files, and quotes inside runs. Works for items in the trash too. */
                erase?: boolean;
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The document's id in the source system: any text of up to 500 characters, percent-encoded (a slash is `%2F`). */
                externalId: string;
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The document is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDocumentByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The document's id in the source system: any text of up to 500 characters, percent-encoded (a slash is `%2F`). */
                externalId: string;
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Leave and holidays 2027",
                 *       "metadata": {
                 *         "department": "people",
                 *         "year": 2027
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DocumentPatch"];
            };
        };
        responses: {
            /** @description The document after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AlreadyExists"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive of the collection. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The bytes of the file. */
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["ExportCollectionConflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["NotInTrash"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSyncs: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of syncs; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    openSync: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entries": [
                 *         {
                 *           "externalId": "wiki/4711",
                 *           "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewSync"];
            };
        };
        responses: {
            /** @description What the sync would do. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncPlanReply"];
                };
            };
            /** @description The open session, and what to upload. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncPlanReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["SyncInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description Only documents of this collection. */
                collectionId?: string;
                /** @description Only the document with this external id. */
                externalId?: string;
                /** @description JSON over metadata: `{"field", "op", "value"}` with the operators `eq, ne, in, gt, gte, lt, lte, exists, contains`, joined by `{"and": […]}`, `{"or": […]}` and `{"not": …}`. `$name`, `$title`, `$externalId`, `$mediaType`, `$sizeBytes`, `$createdAt`, `$updatedAt` and `$id` are fields of every document. */
                filter?: string;
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only documents in this status. */
                status?: "queued" | "parsing" | "embedding" | "indexing" | "ready" | "failed";
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of documents; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "collectionId": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                 *       "title": "Leave and holidays",
                 *       "text": "# Leave\n\nEverybody has 28 days of paid leave a year.\n",
                 *       "metadata": {
                 *         "department": "people"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewTextDocument"];
                /**
                 * @example {
                 *       "file": "Every full-time employee has 27 days of paid annual leave a year.",
                 *       "collectionId": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                 *       "externalId": "wiki/4711",
                 *       "title": "Leave and holidays",
                 *       "metadata": {
                 *         "department": "support",
                 *         "year": 2026
                 *       }
                 *     }
                 */
                "multipart/form-data": components["schemas"]["UploadDocumentForm"];
            };
        };
        responses: {
            /** @description The new document; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            400: components["responses"]["MalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StorageLimit"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
                /** @description Permanently erases it with all its text, versions, files, and quotes inside runs. Works for items in the trash too. */
                erase?: boolean;
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The document is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Leave and holidays 2027",
                 *       "metadata": {
                 *         "department": "people",
                 *         "year": 2027
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DocumentPatch"];
            };
        };
        responses: {
            /** @description The document after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AlreadyExists"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocumentContent: {
        parameters: {
            query?: {
                /** @description Offset of the first code point. */
                from?: number;
                /** @description Offset after the last code point. */
                to?: number;
                /** @description Version to read; by default the one that search finds. */
                version?: number;
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text of the document, or the piece that was asked for. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentContentReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["GetDocumentContentConflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocumentOriginal: {
        parameters: {
            query?: {
                /** @description Version of the file; by default the latest. */
                version?: number;
            };
            header?: {
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description ETag of the file that you have a part of: if it has changed, the whole file comes. */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description The part of the file to send, in bytes from 0, both ends included. */
                Range?: components["parameters"]["Range"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as it was uploaded. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The bytes of the file. */
                    "application/octet-stream": string;
                };
            };
            /** @description The part of the file that `Range` asks for. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The bytes of the file. */
                    "application/octet-stream": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reprocessDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StorageLimit"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["DocumentInProgress"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RestoreDocumentConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["DocumentNotFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDocumentVersions: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of document versions; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentVersionListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocumentVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
                /** @description The number of the version. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document version as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentVersionReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreDocumentVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the document. */
                id: components["parameters"]["DocumentId"];
                /** @description The number of the version. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, whose latest version already has this content. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            /** @description The document with a new version. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StorageLimit"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadDocuments: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": [
                 *         "Every full-time employee has 27 days of paid annual leave a year."
                 *       ],
                 *       "collectionId": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                 *       "metadata": {
                 *         "department": "support"
                 *       }
                 *     }
                 */
                "multipart/form-data": components["schemas"]["UploadDocumentsForm"];
            };
        };
        responses: {
            /** @description What became of each file. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchReply"];
                };
            };
            400: components["responses"]["InvalidForm"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadDocumentFromUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/handbook/leave.md",
                 *       "collectionId": "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                 *     }
                 */
                "application/json": components["schemas"]["UrlUpload"];
            };
        };
        responses: {
            /** @description The document after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            /** @description The new document; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StorageLimit"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["IntegrationUnreachable"];
        };
    };
    retryDocuments: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "errorCodes": [
                 *         "parsing_timeout",
                 *         "processing_failed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RetryRequest"];
            };
        };
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description How many documents are queued again. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryResultReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "Every full-time employee has 27 days of paid annual leave a year.",
                 *       "name": "Handbook"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["ImportCollectionForm"];
            };
        };
        responses: {
            /** @description The collection import so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionImportReply"];
                };
            };
            400: components["responses"]["InvalidForm"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the import. */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection import as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionImportReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchKnowledge: {
        parameters: {
            query?: {
                /** @description Only in these collections; may be repeated. By default all collections that the key can access. */
                collectionId?: string[];
                /** @description Adds an explanation of the score to each result. */
                explain?: boolean;
                /** @description JSON over metadata: `{"field", "op", "value"}` with the operators `eq, ne, in, gt, gte, lt, lte, exists, contains`, joined by `{"and": […]}`, `{"or": […]}` and `{"not": …}`. `$name`, `$title`, `$externalId`, `$mediaType`, `$sizeBytes`, `$createdAt`, `$updatedAt` and `$id` are fields of every document. */
                filter?: string;
                /** @description `auto` means `hybrid` if a searched collection has usable vectors, and `text` otherwise. `vector` and `hybrid` fail without vectors. */
                mode?: "auto" | "text" | "vector" | "hybrid";
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: number;
                /** @description Maximum number of chunks of one document in the list. */
                perDocument?: number;
                /** @description The same as `query`. */
                q?: string;
                /** @description Search text. `"in quotes"`: every result contains these words side by side (ignored in queries with more than eight other words). `-word` and `-"some words"`: no result contains them. `word*`: words with this beginning. A word that no text contains is corrected to a similar one, shown in `explanation` as `correctedTo`. Invalid syntax is treated as plain text. */
                query?: string;
                /** @description Whether the reranker sorts the 50 best results, if the operator has configured one. Test keys never use it. */
                rerank?: boolean;
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of search hits; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchHitListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["SearchKnowledgeUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchKnowledgeUnavailable"];
        };
    };
    getSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the sync. */
                id: components["parameters"]["SyncId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sync as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the sync. */
                id: components["parameters"]["SyncId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sync after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["SyncEnded"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    completeSync: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the sync. */
                id: components["parameters"]["SyncId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["SyncCompletion"];
            };
        };
        responses: {
            /** @description The sync after the call. With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncOrPreviewReply"];
                };
            };
            /** @description The sync so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CompleteSyncConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addSyncEntries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the sync. */
                id: components["parameters"]["SyncId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entries": [
                 *         {
                 *           "externalId": "wiki/4711",
                 *           "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ManifestPage"];
            };
        };
        responses: {
            /** @description What to upload of these entries. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncPlanReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["SyncEnded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMissingSyncEntries: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the sync. */
                id: components["parameters"]["SyncId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of missing entries; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingEntryListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTrash: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of trashed documents; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrashedDocumentListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    emptyTrash: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The trash is empty. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTrashedCollections: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of trashed collections; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrashedCollectionListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUploads: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of resumable uploads; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumableUploadListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Number of bytes in this request. */
                "Content-Length"?: components["parameters"]["ContentLength"];
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The version of the protocol: `1.0.0`. Without it, or with another one, POST, HEAD, PATCH and DELETE answer 412 with `Tus-Version`. */
                "Tus-Resumable"?: components["parameters"]["TusResumable"];
                /** @description An algorithm (md5, sha1, sha256), a space, and the checksum of this request's bytes in Base64: bytes that have another one are not kept. */
                "Upload-Checksum"?: components["parameters"]["UploadChecksum"];
                /** @description Bytes of the whole file. */
                "Upload-Length": components["parameters"]["UploadLength"];
                /** @description Comma-separated pairs of a name and a Base64 value: `filename` and `collectionId`, optionally `externalId`, `title`, `metadata` (JSON) and `filetype`. */
                "Upload-Metadata": components["parameters"]["UploadMetadata"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example Every full-time employee has 27 days of paid annual leave a year. */
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description The new resumable upload; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumableUploadReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StorageLimit"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CreateUploadConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["UploadLimit"];
            460: components["responses"]["ChecksumMismatch"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUploadCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the server knows of the tus protocol. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TusCapabilitiesReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The version of the protocol: `1.0.0`. Without it, or with another one, POST, HEAD, PATCH and DELETE answer 412 with `Tus-Version`. */
                "Tus-Resumable"?: components["parameters"]["TusResumable"];
            };
            path: {
                /** @description The id of the upload. */
                id: components["parameters"]["UploadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resumable upload as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumableUploadReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUpload: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The version of the protocol: `1.0.0`. Without it, or with another one, POST, HEAD, PATCH and DELETE answer 412 with `Tus-Version`. */
                "Tus-Resumable"?: components["parameters"]["TusResumable"];
            };
            path: {
                /** @description The id of the upload. */
                id: components["parameters"]["UploadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The upload is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["UploadBusy"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    appendToUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Number of bytes in this request. */
                "Content-Length"?: components["parameters"]["ContentLength"];
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The version of the protocol: `1.0.0`. Without it, or with another one, POST, HEAD, PATCH and DELETE answer 412 with `Tus-Version`. */
                "Tus-Resumable"?: components["parameters"]["TusResumable"];
                /** @description An algorithm (md5, sha1, sha256), a space, and the checksum of this request's bytes in Base64: bytes that have another one are not kept. */
                "Upload-Checksum"?: components["parameters"]["UploadChecksum"];
                /** @description Offset of the bytes: the last offset from the server. */
                "Upload-Offset": components["parameters"]["UploadOffset"];
            };
            path: {
                /** @description The id of the upload. */
                id: components["parameters"]["UploadId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example Every full-time employee has 27 days of paid annual leave a year. */
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description The bytes are stored; `Upload-Offset` says how far the upload has come. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StorageLimit"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AppendToUploadConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            460: components["responses"]["ChecksumMismatch"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who the caller is, and what it may do. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["NoAccess"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listModelProviders: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of model providers; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProviderListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ListModelProvidersForbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createModelProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "acme-gpu",
                 *       "kind": "openai_compatible",
                 *       "baseUrl": "https://models.example.com/v1",
                 *       "apiKey": "sk-of-the-provider-x7Qa"
                 *     }
                 */
                "application/json": components["schemas"]["NewModelProvider"];
            };
        };
        responses: {
            /** @description The new model provider; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProviderReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CreateModelProviderConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getModelProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the model provider. */
                id: components["parameters"]["ModelProviderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model provider as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProviderReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["GetModelProviderForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteModelProvider: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the model provider. */
                id: components["parameters"]["ModelProviderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The model provider is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateModelProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the model provider. */
                id: components["parameters"]["ModelProviderId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiKey": "sk-another-one-of-the-provider-k3Zb"
                 *     }
                 */
                "application/json": components["schemas"]["ModelProviderChange"];
            };
        };
        responses: {
            /** @description The model provider after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProviderReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AlreadyExists"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testModelProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the model provider. */
                id: components["parameters"]["ModelProviderId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "llama-4-maverick"
                 *     }
                 */
                "application/json": components["schemas"]["ModelProviderTestRequest"];
            };
        };
        responses: {
            /** @description Whether the model answered. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProviderTestReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listModels: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of models; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOAuthClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of a catalog entry that uses OAuth. */
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OAuth client as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClientReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putOAuthClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of a catalog entry that uses OAuth. */
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "Iv1.8a61f9b3a7aba766",
                 *       "clientSecret": "what-the-service-gave-you"
                 *     }
                 */
                "application/json": components["schemas"]["OAuthClientSecret"];
            };
        };
        responses: {
            /** @description The OAuth client after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClientReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteOAuthClient: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of a catalog entry that uses OAuth. */
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The workspace's own client is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the run. */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    decideRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the run. */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decisions": [
                 *         {
                 *           "toolCallId": "call_1",
                 *           "decision": "reject",
                 *           "reason": "Not before the customer agrees."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Decisions"];
            };
        };
        responses: {
            /** @description The run after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            /** @description The run so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["RunEnded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the run. */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run, which has ended. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            /** @description The run so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RunIsPart"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    compareRuns: {
        parameters: {
            query?: {
                /** @description Id of another run of the same agent; by default the run that this one repeats (`rerunOf`). */
                with?: string;
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the run. */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both runs, and where they differ. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunComparisonReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `id` of the last event that arrived. */
                "Last-Event-ID"?: components["parameters"]["LastEventID"];
            };
            path: {
                /** @description The id of the run. */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of the run, until it ends or waits. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            /** @description The run has ended, and no event is behind the one that you have. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    giveRunFeedback: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the run. */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rating": "negative",
                 *       "comment": "It is 28 days since January.",
                 *       "endUserId": "ada"
                 *     }
                 */
                "application/json": components["schemas"]["NewFeedback"];
            };
        };
        responses: {
            /** @description The run after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["RunInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRunFeedback: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the run. */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The feedback is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rerunRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the run. */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "revision": "latest"
                 *     }
                 */
                "application/json": components["schemas"]["Rerun"];
            };
        };
        responses: {
            /** @description The run, which has ended; or its events, if `Accept` asks for them. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            /** @description The run so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["RerunRunForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["RerunRunConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RunLimit"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendToolResults: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the run. */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "results": [
                 *         {
                 *           "toolCallId": "call_1",
                 *           "output": {
                 *             "status": "shipped"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ToolResults"];
            };
        };
        responses: {
            /** @description The run after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            /** @description The run so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["RunEnded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits of the plan, and what is used of each. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsageHistory: {
        parameters: {
            query?: {
                /** @description First day, in UTC; by default 29 days before the last one. */
                from?: string;
                /** @description Grouping of the rows: none (`day`), or by key or person, agent, or collection. */
                groupBy?: "day" | "key" | "agent" | "collection";
                /** @description A row for each day, for each calendar month, or one for the whole time (`total`). */
                interval?: "day" | "month" | "total";
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Last day, in UTC; today by default. At most 400 days in total. */
                to?: string;
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of usage rows; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageRowListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of webhooks; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/atrium",
                 *       "eventTypes": [
                 *         "run.*"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook with its secret after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretReply"];
                };
            };
            /** @description The new webhook with its secret; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/atrium",
                 *       "eventTypes": [
                 *         "run.*"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The new webhook with its secret; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CreateWebhookConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The webhook is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description The webhook after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AlreadyExists"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description Only deliveries of this event. */
                eventId?: string;
                /** @description Only deliveries of this type of event, or of a kind: `run.*`. */
                eventType?: "*" | "run.*" | "document.*" | "collection.*" | "connection.*" | "member.*" | "key.*" | "limit.*" | "webhook.*" | "run.succeeded" | "run.failed" | "run.cancelled" | "run.waiting" | "document.ready" | "document.failed" | "document.deleted" | "collection.deleted" | "connection.active" | "connection.needs_reauth" | "connection.failed" | "connection.deleted" | "connection.sync_succeeded" | "connection.sync_failed" | "member.joined" | "member.changed" | "member.removed" | "key.created" | "key.rotated" | "key.revoked" | "limit.reached" | "webhook.disabled" | "webhook.test";
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only deliveries of this status. */
                status?: "pending" | "delivered" | "failed";
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of webhook deliveries; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the webhook delivery. */
                deliveryId: components["parameters"]["WebhookDeliveryId"];
                /** @description The id of the webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook delivery as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetailReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the webhook delivery. */
                deliveryId: components["parameters"]["WebhookDeliveryId"];
                /** @description The id of the webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook delivery so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RedeliverWebhookDeliveryConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "createdAfter": "2026-11-20T00:00:00.000Z",
                 *       "createdBefore": "2026-11-21T00:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookReplayRequest"];
            };
        };
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description How many events are sent again. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["WebhookDisabled"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlapSeconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The webhook with its secret after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook delivery after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetailReply"];
                };
            };
            /** @description The webhook delivery so far. The work goes on; `Location` is where to look for its end. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetailReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["WebhookDisabled"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["NoAccess"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm": "example-ltd"
                 *     }
                 */
                "application/json": components["schemas"]["WorkspaceDeletion"];
            };
        };
        responses: {
            /** @description The workspace, which is erased at `deletesAt` unless it is restored. With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceOrPreviewReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "monthlyCostLimitUsd": 250
                 *     }
                 */
                "application/json": components["schemas"]["WorkspaceChange"];
            };
        };
        responses: {
            /** @description The workspace after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only invitations in this status. */
                status?: "pending" | "accepted" | "declined" | "revoked" | "expired";
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of invitations; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the invitation. */
                id: components["parameters"]["InvitationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the invitation. */
                id: components["parameters"]["InvitationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation with a new link, and a new time in which it can be accepted. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedInvitationReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["MemberLimit"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["ResendInvitationConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the invitation. */
                id: components["parameters"]["InvitationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation after the call. With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationOrPreviewReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["InvitationEnded"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "4Zq0…",
                 *       "name": "Grace Hopper"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationAcceptance"];
            };
        };
        responses: {
            /** @description The accepted invitation, and the new member. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedInvitationReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["MemberLimit"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AcceptInvitationConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveWorkspace: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The caller has left the workspace. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["LeaveWorkspaceForbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["LeaveWorkspaceConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description Only people, or only service accounts. */
                kind?: "person" | "service";
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only members with this role. */
                role?: "owner" | "admin" | "member" | "viewer";
                /** @description Only members of this team. */
                teamId?: string;
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of members; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly import",
                 *       "role": "member"
                 *     }
                 */
                "application/json": components["schemas"]["NewServiceAccount"];
            };
        };
        responses: {
            /** @description The new member; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["CreateServiceAccountForbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the member. */
                id: components["parameters"]["MemberId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMember: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the member. */
                id: components["parameters"]["MemberId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The member is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["LastOwner"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the member. */
                id: components["parameters"]["MemberId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            /** @description The member after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LastOwner"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "grace@example.com",
                 *       "role": "member",
                 *       "message": "Welcome aboard!"
                 *     }
                 */
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description The invitation, with its link if no mail was sent. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedInvitationReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["MemberLimit"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["InviteMemberConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of teams; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Support",
                 *       "description": "Answers customers"
                 *     }
                 */
                "application/json": components["schemas"]["NewTeam"];
            };
        };
        responses: {
            /** @description The new team; `Location` is its address. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CreateTeamConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the team. */
                id: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team as it stands. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTeam: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the team. */
                id: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The team is deleted. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the team. */
                id: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Answers customers in all languages"
                 *     }
                 */
                "application/json": components["schemas"]["TeamChange"];
            };
        };
        responses: {
            /** @description The team after the call. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AlreadyExists"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTeamMembers: {
        parameters: {
            query?: {
                /** @description Lists items after the one with this id, at any depth; `page` then counts from there. */
                after?: components["parameters"]["After"];
                /** @description The page, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Items per page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description ETag of the reply that you have: 304 without a body if it is still the same. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the team. */
                id: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of members; `meta` says how many there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberListReply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addTeamMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the team. */
                id: components["parameters"]["TeamId"];
                /** @description The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member with its teams. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeTeamMember: {
        parameters: {
            query?: {
                /** @description Returns what the call would do, and changes nothing. */
                dryRun?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description ETag that you read: 412 if the record has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the team. */
                id: components["parameters"]["TeamId"];
                /** @description The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. Nothing has changed. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description The member is out of the team. The reply has no body. */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    transferWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key and request get the stored reply for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "memberId": "mem_01kajz4v7qf3x8m2c9t5b6n0rw"
                 *     }
                 */
                "application/json": components["schemas"]["OwnershipTransfer"];
            };
        };
        responses: {
            /** @description The new owner. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberReply"];
                };
            };
            400: components["responses"]["InvalidJsonRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SandboxForbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["MembershipEnded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    receiveCollectionDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfCollection"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionActive: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfConnection"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfConnection"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfConnection"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionNeedsReauth: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfConnection"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionSyncFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfConnectionSync"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionSyncSucceeded: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfConnectionSync"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDocumentDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfDocument"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDocumentFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfDocument"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDocumentReady: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfDocument"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveKeyCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfKey"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveKeyRevoked: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfKey"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveKeyRotated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfKey"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLimitReached: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfLimit"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMemberChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfMember"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMemberJoined: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfMember"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMemberRemoved: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfMember"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveRunCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfRun"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveRunFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfRun"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveRunSucceeded: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfRun"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveRunWaiting: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfRun"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfWebhook"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same with every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description One `v1,` signature for each secret that is valid, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description When the attempt was made, in Unix epoch seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventOfWebhook"];
            };
        };
        responses: {
            /** @description The delivery has arrived. Any status but this and 410 is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: an endpoint is disabled, and a callback is given up. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

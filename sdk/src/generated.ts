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
         * @description The agents installed in the workspace, in the environment of the key.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Only the name is needed: an agent made of it alone runs on the server's default model and answers from all knowledge that the key which runs it can reach.
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
         * @description One agent as it is now.
         *
         *     Needs the permission `agents:read`.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description The agent cannot be run or listed any more. Its runs keep their records, to be read by their ids; those under way go on to their end.
         *
         *     Needs the permission `agents:write`.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description Changes the fields that are sent and makes a new revision. Runs under way go on with the revision that they began with.
         *
         *     Needs the permission `agents:write`.
         */
        patch: operations["updateAgent"];
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
         * @description Answers 200 with the run once it has ended, `succeeded` or `failed` alike: look at `status` and `error`. After 60 seconds, or the `wait` of `Prefer`, it answers 202 with the run as it stands; `Prefer: respond-async` answers 202 at once and leaves the run to the background. The run goes on when the client hangs up.
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
         * @description Every run of the agent, newest first, each with its steps.
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
         * @description Ready-made agents; each can be installed as often as wanted and changed afterwards.
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
         * @description Makes an agent of the template; name, model and collections can be chosen at once.
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
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description All keys of the workspace, the revoked ones too; never their secrets. A test key sees test keys.
         *
         *     Needs the permission `keys:read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Makes a key that acts for the person behind the calling key, with at most the permissions and the narrowing that the calling key has. The reply shows the whole key; nothing shows it again.
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
         * @description One key, without its secret.
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
         * @description Renames, narrows or re-dates a key. What it may do now takes effect within 10 seconds on every server.
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
         * @description Ends a key for good, within 10 seconds on every server. A second call changes nothing.
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
         * @description Makes a new secret for the same key and shows it once; the old one lives on for the chosen overlap. A key that may more than the calling key cannot be rotated with it.
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
         * @description Every change in the workspace, newest first: who made it, with which key, from where. A test key sees what was done in the sandbox.
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
    "/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connected integrations
         * @description The connections of the workspace, newest first. Secrets are never shown.
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
         * @description One connection with its status and what went wrong last.
         *
         *     Needs the permission `integrations:read`.
         */
        get: operations["getIntegration"];
        put?: never;
        post?: never;
        /**
         * Disconnect an integration
         * @description Deletes the connection and erases its secrets, then asks the service to revoke the grant; that is best effort and does not hold the connection back.
         *
         *     Needs the permission `integrations:write`.
         */
        delete: operations["disconnectIntegration"];
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
         * @description Calls the service with the stored credentials, refreshing them where needed. The reply is 200 whether or not the service is content: `ok` tells. A connection whose credentials the service refuses becomes `needs_reauth`. In the sandbox nothing is called and the test succeeds.
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
         * @description Every service that can be connected, by name, with what connecting it needs.
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
         * @description For OAuth the reply holds an `authorizationUrl`: send a person there within ten minutes, and the connection becomes `active`, or `failed`. An API key is tried by a call to the service first; where the service refuses it, nothing is stored. With a test key no service is called: the connection is simulated and active at once, whatever the credentials, except that the API keys `sim:rejected` and `sim:unreachable` force these failures.
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
    "/knowledge/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List collections
         * @description The knowledge collections that the key can reach, newest first.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["listCollections"];
        put?: never;
        /**
         * Create a collection
         * @description A collection holds documents that belong together; agents and keys can be narrowed to some.
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
         * @description One collection with its counts.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["getCollection"];
        put?: never;
        post?: never;
        /**
         * Delete a collection
         * @description Deletes the collection with all of its documents. From the reply on nothing of it is found; the files are erased in the background.
         *
         *     Needs the permission `knowledge:write`.
         */
        delete: operations["deleteCollection"];
        options?: never;
        head?: never;
        /**
         * Change a collection
         * @description Renames or describes it; its documents are not touched.
         *
         *     Needs the permission `knowledge:write`.
         */
        patch: operations["updateCollection"];
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
         * @description The documents that the key can reach, newest first.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Upload a document
         * @description Sends one file as multipart/form-data. The reply comes once the file is stored safely; it is read and indexed after that, and found as soon as its status is `ready`. `Prefer: wait=N` answers then, or after N seconds.
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
         * @description One document with its status. `Prefer: wait=N` answers once it is `ready` or `failed`, or after N seconds.
         *
         *     Needs the permission `knowledge:read`.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Delete a document
         * @description From the reply on it is neither listed nor found; its file and text are erased in the background.
         *
         *     Needs the permission `knowledge:write`.
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
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
         * @description The text that was extracted, as offsets of search results and citations count it: in Unicode code points. At most 100,000 at a time.
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
         * @description The file as it was uploaded, byte for byte.
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
    "/knowledge/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the knowledge base
         * @description Ranks the chunks of all documents that the key can reach, best first, with at most three chunks of one document. A document that is `ready` is found by the next request. The ranked list has at most 1,000 results, and `meta.total` is its exact length.
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
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description The models that agents can run on here, with list prices. Other models of a configured provider work too; their cost is then unknown. An OpenAI-compatible server is asked for its own list.
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
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI document
         * @description This document, generated from the routes that serve the API. It needs no key.
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
         * @description One run with its steps. `Prefer: wait=N` waits up to N seconds (60 at the most) for the run to end.
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
         * @description Answers 200 once the run has stopped and its call of the model is aborted; what it used until then is on its record. A run that has ended already is answered as it is. 202 means that it has been told to stop and has not stopped yet.
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
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get limits and usage
         * @description The limits of the workspace's plan, each with what is used of it in the key's environment. What is over a limit answers 429 `rate_limited` or `run_limit`, 403 `storage_limit` or `member_limit`, or 413.
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
    "/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the workspace
         * @description The workspace that the key belongs to, with its plan. Any valid key may ask, so it is a good first call.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Invitations in every status. A test key sees those that test keys made, a live key the real ones.
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
         * @description One invitation, and what became of its mail. The link is not shown again: resend makes a new one.
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
         * @description Makes a new link, good for seven days from now, and ends the old one. Works for pending and expired invitations; one that was answered or revoked is a 409.
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
         * @description Its link stops working. Only a pending invitation can be revoked; another is a 409.
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
         * @description For applications with a page of their own for new members; people without one accept at the link itself, which needs no key. The key belongs to the inviting workspace, and the token from the link shows that the invited person agreed. Works once. An invitation made by a test key is only marked as accepted.
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
    "/workspace/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description The people and service accounts of the workspace. Test keys see the same members as live keys.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
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
         * @description One member, by the id of the membership (`mem_…`).
         *
         *     Needs the permission `members:read`.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description The member loses access, and every key and pending invitation that they made is revoked within seconds; `dryRun=true` lists those first. The last owner cannot be removed (`last_owner`). Needs a live key.
         *
         *     Needs the permission `members:write`.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Keys of the member can do what the new role allows within seconds. Nobody changes a role above their own or gives one, so only owners make and demote owners. The last owner cannot be demoted (`last_owner`). Needs a live key.
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
         * @description Mails a link that works once and for seven days. Where the operator has configured no mail server, the reply holds the link as `acceptUrl`, this once. An address that is a member or has a pending invitation is a 409; members and pending invitations together count against the plan (`member_limit`). What a test key invites is simulated: nobody is mailed, and accepting it makes no member.
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
         * @description The teams of the workspace. Test keys see the same teams as live keys.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["listTeams"];
        put?: never;
        /**
         * Create a team
         * @description A team begins without members. Its name is unique in the workspace. Needs a live key.
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
         * @description One team, with the number of its members.
         *
         *     Needs the permission `members:read`.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        /**
         * Delete a team
         * @description Its members stay members of the workspace. Needs a live key.
         *
         *     Needs the permission `teams:write`.
         */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        /**
         * Rename or describe a team
         * @description Changes the fields that are sent. Needs a live key.
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
         * @description The same as the list of members with `teamId`, but a 404 where there is no such team.
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
         * @description Does nothing where the member is in the team already. `If-Match` takes the ETag of the member. Needs a live key.
         *
         *     Needs the permission `teams:write`.
         */
        put: operations["addTeamMember"];
        post?: never;
        /**
         * Take a member out of a team
         * @description The member stays a member of the workspace. `If-Match` takes the ETag of the member. Needs a live key.
         *
         *     Needs the permission `teams:write`.
         */
        delete: operations["removeTeamMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
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
             * @description `queued`, `sent` or `failed`: by mail. `link`: no mail server is configured, so `acceptUrl` is to be handed over. `simulated`: made by a test key; nobody is mailed, and accepting it makes no member.
             * @enum {string}
             */
            delivery: "queued" | "sent" | "failed" | "link" | "simulated";
            /** @description Why the mail could not be sent. */
            deliveryError: string | null;
            /** @description Address that is invited, in lower case. */
            email: string;
            /**
             * Format: date-time
             * @description When a pending invitation stops being of use.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Id of the invitation.
             * @example inv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description User who invited; null for the operator.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            invitedBy: string | null;
            /**
             * @description The new member; null where the invitation was simulated.
             * @example mem_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            memberId: string | null;
            /** @description Words of the inviting person, shown with the invitation. */
            message: string | null;
            /**
             * @description Role that the person will have.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer";
            /**
             * @description Only a pending invitation can be accepted; it expires after seven days.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "revoked" | "expired";
            /** @description Teams that the person will belong to. */
            teamIds: string[];
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        Agent: {
            /** @description Collections that it searches; empty for all. */
            collectionIds: string[];
            /**
             * Format: date-time
             * @description When the agent was made.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description What the agent is for. */
            description: string | null;
            /**
             * @description Id of the agent.
             * @example agt_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /** @description What the model is told to be and to do. */
            instructions: string;
            /** @description The model that it runs on; `default` follows the server. */
            model: string;
            /** @description Name of the agent. */
            name: string;
            /** @description Grows by one with every change; a run names the one it used. */
            revision: number;
            /**
             * @description A `paused` agent refuses new runs with 409.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description Tools that the model may call. */
            tools: string[];
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        AgentChange: {
            /** @description Collections that the agent searches; empty for all that the key which runs it can reach. */
            collectionIds?: string[];
            /** @description What the agent is for. */
            description?: string | null;
            /** @description What the model is told to be and to do. */
            instructions?: string;
            /**
             * @description `default` (the server's default), `extractive`, or a provider's model such as `openai/…`, `anthropic/…` or `google/…`; GET /models lists them. Test keys always run `sandbox`.
             * @example default
             */
            model?: string;
            /** @description Name of the agent. */
            name?: string;
            /**
             * @description A `paused` agent refuses new runs with 409.
             * @enum {string}
             */
            status?: "active" | "paused";
            /**
             * @description Tools that the model may call: `search_knowledge`.
             * @example [
             *       "search_knowledge"
             *     ]
             */
            tools?: string[];
        };
        AgentInstallation: {
            /** @description Collections that the agent searches; empty for all that the key which runs it can reach. */
            collectionIds?: string[];
            /**
             * @description `default` (the server's default), `extractive`, or a provider's model such as `openai/…`, `anthropic/…` or `google/…`; GET /models lists them. Test keys always run `sandbox`.
             * @example default
             */
            model?: string;
            /** @description Name of the agent. */
            name?: string;
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
        ApiKey: {
            /** @description Narrows the key to these agents; all where null. */
            agentIds: string[] | null;
            /** @description Addresses or CIDRs from which the key can be used; any where null. */
            allowedAddresses: string[] | null;
            /** @description Narrows the key to these collections; all where null. */
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
             * @description When the key ends by itself; never where null.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string | null;
            /** @description The beginning and the end of the key, to tell keys apart. */
            hint: string;
            /** @example key_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /**
             * Format: date-time
             * @description To the minute.
             * @example 2026-11-21T09:30:00.000Z
             */
            lastUsedAt: string | null;
            /** @description What the key is for, for people. */
            name: string;
            /** @description What the key may do, at the most: it never may more than the person who made it may now. */
            permissions: ("agents:read" | "agents:run" | "agents:write" | "knowledge:read" | "knowledge:write" | "integrations:read" | "integrations:write" | "members:read" | "members:write" | "teams:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "usage:read" | "audit:read")[];
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
             * @description The person who made it and whose permissions it inherits.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            userId: string;
        };
        ApiKeyChange: {
            /** @description Narrows the key to these agents; all where null. */
            agentIds?: string[] | null;
            /** @description Addresses or CIDRs from which the key can be used; any where null. */
            allowedAddresses?: string[] | null;
            /** @description Narrows the key to these collections; all where null. */
            collectionIds?: string[] | null;
            /**
             * Format: date-time
             * @description When the key ends by itself; never where null.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt?: string | null;
            /** @description What the key is for, for people. */
            name?: string;
            /** @description What the key may do, at the most: it never may more than the person who made it may now. */
            permissions?: ("agents:read" | "agents:run" | "agents:write" | "knowledge:read" | "knowledge:write" | "integrations:read" | "integrations:write" | "members:read" | "members:write" | "teams:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "usage:read" | "audit:read")[];
        };
        ApiKeyWithSecret: {
            /** @description Narrows the key to these agents; all where null. */
            agentIds: string[] | null;
            /** @description Addresses or CIDRs from which the key can be used; any where null. */
            allowedAddresses: string[] | null;
            /** @description Narrows the key to these collections; all where null. */
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
             * @description When the key ends by itself; never where null.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string | null;
            /** @description The beginning and the end of the key, to tell keys apart. */
            hint: string;
            /** @example key_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description The whole key. It is shown in this reply only, and left out when the reply is repeated. */
            key?: string;
            /**
             * Format: date-time
             * @description To the minute.
             * @example 2026-11-21T09:30:00.000Z
             */
            lastUsedAt: string | null;
            /** @description What the key is for, for people. */
            name: string;
            /** @description What the key may do, at the most: it never may more than the person who made it may now. */
            permissions: ("agents:read" | "agents:run" | "agents:write" | "knowledge:read" | "knowledge:write" | "integrations:read" | "integrations:write" | "members:read" | "members:write" | "teams:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "usage:read" | "audit:read")[];
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
             * @description The person who made it and whose permissions it inherits.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            userId: string;
        };
        AuditEntry: {
            /** @description What was done, such as `agent.create`. */
            action: string;
            /**
             * @description What kind of author made the change.
             * @enum {string}
             */
            actor: "key" | "operator" | "system";
            /** @description The address that the request came from. */
            address: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description What is worth knowing of it; never a secret. */
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
            /** @description The record that it was done to. */
            resourceId: string | null;
            /** @description The person on whose behalf it was made. */
            userId: string | null;
        };
        CatalogEntry: {
            /**
             * @description How the service wants to be opened.
             * @enum {string}
             */
            auth: "oauth2" | "api_key" | "basic" | "none" | "mcp";
            /** @description What a connection can be used for in this version, beyond being tested. */
            capabilities: ("sync" | "tools")[];
            category: string;
            /** @description JSON Schema of `config` when connecting. */
            configSchema: {
                [key: string]: unknown;
            };
            /** @description False where the operator has not set the OAuth client that connecting needs. */
            configured: boolean;
            /** @description JSON Schema of `credentials` when connecting; null where none are sent. */
            credentialsSchema: {
                [key: string]: unknown;
            } | null;
            description: string;
            /** @description Where the service documents its side. */
            documentationUrl: string | null;
            /** @description What `integrationId` names when connecting. */
            id: string;
            name: string;
        };
        Citation: {
            /** @description The piece of the document that the search found. */
            chunkId: string;
            /** @description The document. */
            documentId: string;
            /** @description The version of the document that was quoted. */
            documentVersion: number;
            /** @description Where it ends; the code point there is not part of it. */
            endOffset: number;
            /**
             * @description How the output refers to it.
             * @example [1]
             */
            marker: string;
            /** @description The page, in documents that have pages. */
            page: number | null;
            /** @description The document's own words, exactly as they stand at the offsets. */
            quote: string;
            /** @description Where the quote begins, in code points of the document's text. */
            startOffset: number;
        };
        Collection: {
            /** @description Chunks that can be found. */
            chunkCount: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description What it holds. */
            description: string | null;
            /** @description Documents in it, whatever their status. */
            documentCount: number;
            /** @description The embedding model; null where search is by text only. */
            embedding: string | null;
            /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Its name, for people. */
            name: string;
            /** @description Bytes of the original files. */
            sizeBytes: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        CollectionChange: {
            /** @description What it holds. */
            description?: string | null;
            /** @description Its name, for people. */
            name?: string;
        };
        Connection: {
            /** @description Whose account is connected; null until that is known. */
            account: {
                /** @description The account's id at the service. */
                id: string;
                /** @description What the account is called there. */
                name: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @example con_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description The entry of the catalog. */
            integrationId: string;
            /** @description What went wrong last; null once the connection works again. */
            lastError: {
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                at: string;
                /** @description A word for programs. */
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
             * @description `pending` waits for the authorization, `needs_reauth` was opened once and is not any more, `expired` was never authorized in time.
             * @enum {string}
             */
            status: "pending" | "active" | "needs_reauth" | "failed" | "revoked" | "expired";
        };
        ConnectionTest: {
            /** @description Whose account answered. */
            account: {
                /** @description The account's id at the service. */
                id: string;
                /** @description What the account is called there. */
                name: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            checkedAt: string;
            /** @description What went wrong; null where nothing did. */
            error: {
                code: string;
                message: string;
            } | null;
            /** @description Whether the service answered as it should. */
            ok: boolean;
            /**
             * @description The connection's status after the test.
             * @enum {string}
             */
            status: "pending" | "active" | "needs_reauth" | "failed" | "revoked" | "expired";
        };
        Document: {
            /** @description Chunks that can be found. */
            chunkCount: number;
            /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
            collectionId: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description Why it `failed`. */
            error: {
                code: string;
                message: string;
            } | null;
            /** @description The document's id in the system that it came from. */
            externalId: string | null;
            /** @example doc_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description What the file is by its content. */
            mediaType: string;
            /** @description What was given at the upload. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The file's name. */
            name: string;
            /** @description Where the format has pages. */
            pageCount: number | null;
            /** @description From 0 to 1. */
            progress: number;
            /** @description Hash of the original file, in hexadecimal. */
            sha256: string;
            /** @description Bytes of the original file. */
            sizeBytes: number;
            /**
             * @description `ready` is found by the next search; `ready` and `failed` are final.
             * @enum {string}
             */
            status: "queued" | "parsing" | "indexing" | "ready" | "failed";
            /** @description As given, else as found in the file. */
            title: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
            /** @description Counts up with each new content. */
            version: number;
        };
        DocumentContent: {
            /** @example doc_01kajz4v7qf3x8m2c9t5b6n0rw */
            documentId: string;
            /** @description Behind the last one. */
            endOffset: number;
            /** @description Of the whole text, in code points. */
            length: number;
            /** @description Of the first code point that is answered. */
            startOffset: number;
            text: string;
            /** @description The version that the text belongs to. */
            version: number;
        };
        /** @description The one shape of every error. */
        Error: {
            /**
             * @description A word for programs, of a closed list.
             * @enum {string}
             */
            code: "validation_failed" | "malformed_json" | "malformed_multipart" | "malformed_url" | "malformed_request" | "unauthenticated" | "permission_missing" | "plan_required" | "sandbox_forbidden" | "address_not_allowed" | "storage_limit" | "member_limit" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "conflict" | "last_owner" | "idempotency_in_progress" | "idempotency_interrupted" | "integration_not_configured" | "connection_not_active" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "address_forbidden" | "credentials_rejected" | "rate_limited" | "run_limit" | "internal_error" | "unavailable" | "integration_unreachable";
            /** @description One entry for each faulty field; may be empty. */
            errors: {
                /** @description The offending field; a dotted path where it is nested. */
                field: string;
                /** @description What is wrong with it. */
                message: string;
            }[];
            /** @description A summary for people. */
            message: string;
            /** @description Also in the header X-Request-Id and in the log. */
            requestId: string;
            /** @description Whether the same request can succeed later. */
            retryable: boolean;
            /** @description The HTTP status. */
            statusCode: number;
        };
        Invitation: {
            /**
             * Format: date-time
             * @description When the invitation was made.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description `queued`, `sent` or `failed`: by mail. `link`: no mail server is configured, so `acceptUrl` is to be handed over. `simulated`: made by a test key; nobody is mailed, and accepting it makes no member.
             * @enum {string}
             */
            delivery: "queued" | "sent" | "failed" | "link" | "simulated";
            /** @description Why the mail could not be sent. */
            deliveryError: string | null;
            /** @description Address that is invited, in lower case. */
            email: string;
            /**
             * Format: date-time
             * @description When a pending invitation stops being of use.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Id of the invitation.
             * @example inv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description User who invited; null for the operator.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            invitedBy: string | null;
            /** @description Words of the inviting person, shown with the invitation. */
            message: string | null;
            /**
             * @description Role that the person will have.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer";
            /**
             * @description Only a pending invitation can be accepted; it expires after seven days.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "revoked" | "expired";
            /** @description Teams that the person will belong to. */
            teamIds: string[];
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        InvitationAcceptance: {
            /** @description Name of the person; needed where the address is new to this server. */
            name?: string;
            /** @description Last part of the link of the invitation. */
            token: string;
        };
        IssuedInvitation: {
            /**
             * Format: uri
             * @description Link for the invited person, shown in this reply only; null where it goes by mail, and left out when the reply is repeated.
             */
            acceptUrl?: string | null;
            /**
             * Format: date-time
             * @description When the invitation was made.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description `queued`, `sent` or `failed`: by mail. `link`: no mail server is configured, so `acceptUrl` is to be handed over. `simulated`: made by a test key; nobody is mailed, and accepting it makes no member.
             * @enum {string}
             */
            delivery: "queued" | "sent" | "failed" | "link" | "simulated";
            /** @description Why the mail could not be sent. */
            deliveryError: string | null;
            /** @description Address that is invited, in lower case. */
            email: string;
            /**
             * Format: date-time
             * @description When a pending invitation stops being of use.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Id of the invitation.
             * @example inv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /**
             * @description User who invited; null for the operator.
             * @example usr_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            invitedBy: string | null;
            /** @description Words of the inviting person, shown with the invitation. */
            message: string | null;
            /**
             * @description Role that the person will have.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer";
            /**
             * @description Only a pending invitation can be accepted; it expires after seven days.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "revoked" | "expired";
            /** @description Teams that the person will belong to. */
            teamIds: string[];
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
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
             * @description A person, or a service account that keys can outlive people with.
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
             * @description What the member may do at the most: owner, admin, member or viewer.
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
        Model: {
            /** @description Tokens that it can read at once, where known. */
            contextTokens: number | null;
            /** @description What is special about it; often empty. */
            description: string;
            /** @description Name to give as an agent's `model`. */
            id: string;
            /** @description Whether `default` stands for it. */
            isDefault: boolean;
            /** @description List price; null where it is not known, and then the cost of its runs is null too. */
            price: {
                cachedInputUsdPerMillionTokens: number;
                inputUsdPerMillionTokens: number;
                outputUsdPerMillionTokens: number;
            } | null;
            /** @description Who serves it; `atrium` for the built-in ones. */
            provider: string;
        };
        NewAgent: {
            /** @description Collections that the agent searches; empty for all that the key which runs it can reach. */
            collectionIds?: string[];
            /** @description What the agent is for. */
            description?: string | null;
            /** @description What the model is told to be and to do. */
            instructions?: string;
            /**
             * @description `default` (the server's default), `extractive`, or a provider's model such as `openai/…`, `anthropic/…` or `google/…`; GET /models lists them. Test keys always run `sandbox`.
             * @example default
             */
            model?: string;
            /** @description Name of the agent. */
            name: string;
            /**
             * @description A `paused` agent refuses new runs with 409.
             * @enum {string}
             */
            status?: "active" | "paused";
            /**
             * @description Tools that the model may call: `search_knowledge`.
             * @example [
             *       "search_knowledge"
             *     ]
             */
            tools?: string[];
        };
        NewApiKey: {
            /** @description Narrows the key to these agents; all where null. */
            agentIds?: string[] | null;
            /** @description Addresses or CIDRs from which the key can be used; any where null. */
            allowedAddresses?: string[] | null;
            /** @description Narrows the key to these collections; all where null. */
            collectionIds?: string[] | null;
            /**
             * @description That of the calling key unless given. A test key can only make test keys.
             * @enum {string}
             */
            environment?: "live" | "test";
            /**
             * Format: date-time
             * @description When the key ends by itself; never where null.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt?: string | null;
            /** @description What the key is for, for people. */
            name: string;
            /** @description What the key may do, at the most: it never may more than the person who made it may now. */
            permissions: ("agents:read" | "agents:run" | "agents:write" | "knowledge:read" | "knowledge:write" | "integrations:read" | "integrations:write" | "members:read" | "members:write" | "teams:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "usage:read" | "audit:read")[];
        };
        NewCollection: {
            /** @description What it holds. */
            description?: string | null;
            /** @description Its name, for people. */
            name: string;
        };
        NewConnection: {
            /** @description Settings as the entry's `configSchema` has them. */
            config?: {
                [key: string]: unknown;
            };
            /** @description Credentials as the entry's `credentialsSchema` has them; left out for OAuth. */
            credentials?: {
                [key: string]: unknown;
            };
            /** @description The id of an entry of the catalog. */
            integrationId: string;
            /** @description The integration's name unless given. */
            name?: string;
            /** @description Where the person goes after an OAuth authorization, with `connectionId` and `status` added; its origin must be one that the operator lists. */
            redirectUrl?: string;
        };
        NewInvitation: {
            /** @description Address to invite. */
            email: string;
            /** @description Words to the invited person. */
            message?: string;
            /**
             * @description Role to give, at most the caller's own; `member` unless named.
             * @enum {string}
             */
            role?: "owner" | "admin" | "member" | "viewer";
            /** @description Teams to join. */
            teamIds?: string[];
        };
        NewRun: {
            /**
             * @description Goes on with a conversation: the agent remembers its earlier runs. Each run names its conversation; one that gives none begins a new one.
             * @example cnv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            conversationId?: string;
            /** @description Who, among your own users, is talking; conversations of different end users never meet. */
            endUserId?: string;
            /** @description What the run may use at the most. */
            limits?: {
                /** @description No further call of the model once the run has cost this much, in US dollars. */
                maxCostUsd?: number;
                /** @description Most calls of the model; 8 unless given. */
                maxSteps?: number;
                /** @description When the run ends at the latest; 120 seconds unless given. */
                timeoutSeconds?: number;
            };
            /**
             * @description Your own notes on the run; kept and shown with it.
             * @example {
             *       "department": "support",
             *       "year": 2026
             *     }
             */
            metadata?: {
                [key: string]: string | number | boolean | null | string[];
            };
            /** @description What to ask or to tell the agent: 1 to 100,000 characters. */
            prompt: string;
        };
        NewTeam: {
            /** @description What the team is for. */
            description?: string | null;
            /** @description Name, unique in the workspace. */
            name: string;
        };
        /** @description What the call would do; nothing was changed. */
        Preview: {
            /** @constant */
            dryRun: true;
            effects: {
                count: number;
                /** @enum {string} */
                effect: "deleted" | "revoked" | "disabled" | "detached";
                /** @description The first hundred of them. */
                ids: string[];
                /** @description The kind of record. */
                resource: string;
            }[];
        };
        Rotation: {
            /**
             * @description For how long the old secret lives on, in seconds; at most 7 days.
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
            /** @description The revision of the agent that ran. */
            agentRevision: number;
            /** @description Where the answer stands, in the order of the output. */
            citations: components["schemas"]["Citation"][];
            /**
             * @description Give it with the next prompt to go on.
             * @example cnv_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            conversationId: string;
            /**
             * Format: date-time
             * @description When the run was asked for.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @description From its beginning to its end. */
            durationMs: number | null;
            /** @description As given with the prompt. */
            endUserId: string | null;
            /** @description Null unless the run failed. */
            error: {
                /**
                 * @description Why the run failed.
                 * @enum {string}
                 */
                code: "model_not_configured" | "model_unauthorized" | "model_not_found" | "model_rate_limited" | "model_quota_exceeded" | "model_unavailable" | "model_timeout" | "model_request_rejected" | "model_invalid_response" | "context_too_long" | "content_filtered" | "output_truncated" | "max_steps" | "max_cost" | "run_timeout" | "tool_error" | "run_interrupted" | "internal_error";
                /** @description The same in words. */
                message: string;
                /** @description Whether the same run may succeed later. */
                retryable: boolean;
            } | null;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-11-21T09:30:00.000Z
             */
            finishedAt: string | null;
            /**
             * @description Id of the run.
             * @example run_01kajz4v7qf3x8m2c9t5b6n0rw
             */
            id: string;
            /** @description As given with the prompt. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The model that it ran on; null until it has begun. */
            model: string | null;
            /** @description The answer; null until there is one. */
            output: string | null;
            /** @description What was asked. */
            prompt: string;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-21T09:30:00.000Z
             */
            startedAt: string | null;
            /**
             * @description Every run ends as succeeded, failed or cancelled.
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description What the run did, in order. */
            steps: components["schemas"]["RunStep"][];
            /** @description Null: this version answers in text. */
            structuredOutput: unknown;
            /** @description What the run used. */
            usage: {
                /** @description Cost in US dollars: 0 for the built-in models, null where the model's price is not known. */
                costUsd: number | null;
                /** @description Tokens that the model read, over all steps. */
                inputTokens: number;
                /** @description Tokens that the model wrote. */
                outputTokens: number;
            };
        };
        RunStep: {
            /** @description How long it took, in milliseconds. */
            durationMs: number;
            /** @description A tool's arguments; for the model, the number of messages that it read. */
            input: unknown;
            /** @description Name of the model or of the tool. */
            name: string;
            /** @description What came back: text and tool calls, passages, or an error. */
            output: unknown;
            /**
             * Format: date-time
             * @description When the step began.
             * @example 2026-11-21T09:30:00.000Z
             */
            startedAt: string;
            /**
             * @description A call of the model, or of a tool.
             * @enum {string}
             */
            type: "model" | "tool";
        };
        SearchHit: {
            /** @example chk_01kajz4v7qf3x8m2c9t5b6n0rw */
            chunkId: string;
            /** @example col_01kajz4v7qf3x8m2c9t5b6n0rw */
            collectionId: string;
            /** @example doc_01kajz4v7qf3x8m2c9t5b6n0rw */
            documentId: string;
            documentVersion: number;
            /** @description With `explain=true`: the parts of the score. */
            explanation?: {
                [key: string]: unknown;
            }[];
            externalId: string | null;
            /** @description Where the words of the query stand. */
            highlights: {
                /** @description Behind the last one. */
                endOffset: number;
                /** @description Of the first code point, within `text`. */
                startOffset: number;
            }[];
            location: {
                /** @description Behind the last one. */
                endOffset: number;
                /** @description From 1; null where the format has no pages. */
                page: number | null;
                /** @description In code points of the document's text. */
                startOffset: number;
            };
            /** @description The document's metadata. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Higher is better; comparable within one reply only. */
            score: number;
            /** @description The chunk: exactly the document's text from `startOffset` to `endOffset`. */
            text: string;
            /** @description The document's title. */
            title: string | null;
        };
        StartedConnection: {
            /** @description Whose account is connected; null until that is known. */
            account: {
                /** @description The account's id at the service. */
                id: string;
                /** @description What the account is called there. */
                name: string;
            } | null;
            /** @description Send the person there to grant access. Only for OAuth, and shown once: a repeated reply leaves it out. */
            authorizationUrl?: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when the authorization has to be through; only for OAuth.
             * @example 2026-11-21T09:30:00.000Z
             */
            expiresAt?: string;
            /** @example con_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description The entry of the catalog. */
            integrationId: string;
            /** @description What went wrong last; null once the connection works again. */
            lastError: {
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                at: string;
                /** @description A word for programs. */
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
             * @description `pending` waits for the authorization, `needs_reauth` was opened once and is not any more, `expired` was never authorized in time.
             * @enum {string}
             */
            status: "pending" | "active" | "needs_reauth" | "failed" | "revoked" | "expired";
        };
        Team: {
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
             * @description When the team or who belongs to it last changed.
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
        Usage: {
            /** @enum {string} */
            environment: "live" | "test";
            members: {
                /** @description What the plan allows, in members. */
                limit: number;
                /** @description What is used of it now. */
                used: number;
            };
            /** @enum {string} */
            plan: "free" | "starter" | "professional" | "enterprise";
            requestsPerMinute: {
                /** @description Requests a minute, for the workspace in this environment. */
                limit: number;
                /**
                 * Format: date-time
                 * @description When the window ends.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                resetsAt: string;
                /** @description Those of the present window, this one included. */
                used: number;
            };
            runsAtOnce: {
                /** @description What the plan allows, in runs that are queued or running in this environment. */
                limit: number;
                /** @description What is used of it now. */
                used: number;
            };
            storageBytes: {
                /** @description What the plan allows, in bytes of documents in this environment. */
                limit: number;
                /** @description What is used of it now. */
                used: number;
            };
            uploadBytes: {
                /** @description The largest file, in bytes. */
                limit: number;
            };
        };
        Workspace: {
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /** @example wsp_01kajz4v7qf3x8m2c9t5b6n0rw */
            id: string;
            /** @description Its name, for people. */
            name: string;
            /**
             * @description What it may use.
             * @enum {string}
             */
            plan: "free" | "starter" | "professional" | "enterprise";
            /** @description Its name in addresses and on the command line; unique on this server. */
            slug: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
    };
    responses: {
        /** @description `malformed_json`: The body is not valid JSON. `validation_failed`: Validation failed. */
        "400.malformed_json.validation_failed": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `malformed_multipart`: The body is not valid multipart/form-data. `validation_failed`: Validation failed. */
        "400.malformed_multipart.validation_failed": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `validation_failed`: Validation failed. */
        "400.validation_failed": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unauthenticated`: A valid API key is needed: send "Authorization: Bearer sk_…". */
        "401.unauthenticated": {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `member_limit`: The plan's number of members is reached. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. */
        "403.address_not_allowed.member_limit.permission_missing.plan_required": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. */
        "403.address_not_allowed.permission_missing.plan_required": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `sandbox_forbidden`: A test key cannot do this. */
        "403.address_not_allowed.permission_missing.plan_required.sandbox_forbidden": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `permission_missing`: The key lacks a permission. `plan_required`: API access needs the Starter plan or above. `storage_limit`: The plan's storage is used up. */
        "403.address_not_allowed.permission_missing.plan_required.storage_limit": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `address_not_allowed`: The key cannot be used from this address. `plan_required`: API access needs the Starter plan or above. */
        "403.address_not_allowed.plan_required": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: Not found. */
        "404.not_found": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_acceptable`: None of the accepted media types can be given. */
        "406.not_acceptable": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `request_timeout`: The request took too long to arrive. */
        "408.request_timeout": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `conflict`: The request conflicts with the present state. */
        "409.conflict": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `conflict`: The request conflicts with the present state. `idempotency_in_progress`: The first request with this Idempotency-Key is still running. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        "409.conflict.idempotency_in_progress.idempotency_interrupted": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `conflict`: The request conflicts with the present state. `idempotency_in_progress`: The first request with this Idempotency-Key is still running. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `integration_not_configured`: The operator has not configured this integration. */
        "409.conflict.idempotency_in_progress.idempotency_interrupted.integration_not_configured": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `connection_not_active`: The connection is not active. `idempotency_in_progress`: The first request with this Idempotency-Key is still running. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        "409.connection_not_active.idempotency_in_progress.idempotency_interrupted": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still running. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. */
        "409.idempotency_in_progress.idempotency_interrupted": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still running. `idempotency_interrupted`: The first request with this Idempotency-Key was carried out, but its reply was lost. `last_owner`: A workspace needs at least one owner. */
        "409.idempotency_in_progress.idempotency_interrupted.last_owner": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `precondition_failed`: The record has changed since the ETag in If-Match was read. */
        "412.precondition_failed": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `payload_too_large`: The body is too large. */
        "413.payload_too_large": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unsupported_media_type`: The media type is not supported. */
        "415.unsupported_media_type": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `credentials_rejected`: The service refused the credentials. `idempotency_mismatch`: This Idempotency-Key was used with another request. */
        "422.credentials_rejected.idempotency_mismatch": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `idempotency_mismatch`: This Idempotency-Key was used with another request. */
        "422.idempotency_mismatch": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limited`: Too many requests. */
        "429.rate_limited": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limited`: Too many requests. `run_limit`: The plan's number of runs at once is reached. */
        "429.rate_limited.run_limit": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: Something went wrong on our side. */
        "500.internal_error": {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `integration_unreachable`: The service could not be reached. `unavailable`: The service is not available at the moment. */
        "503.integration_unreachable.unavailable": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unavailable`: The service is not available at the moment. */
        "503.unavailable": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The state of the record, for If-Match. */
        ETag: string;
        /** @description `true` where the reply is the stored one of an earlier request. */
        "Idempotency-Replayed": string;
        /** @description Where the record is. */
        Location: string;
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
        /** @description Names this request in the log and in the audit log. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAgents: {
        parameters: {
            query?: {
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "name": "Knowledge assistant",
                     *           "description": "Answers questions from your documents and shows where each answer stands.",
                     *           "model": "default",
                     *           "instructions": "Answer from the documents, briefly, and say so when they do not answer.",
                     *           "collectionIds": [
                     *             "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *           ],
                     *           "tools": [
                     *             "search_knowledge"
                     *           ],
                     *           "status": "active",
                     *           "revision": 1,
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "updatedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
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
            /** @description Created. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Knowledge assistant",
                     *         "description": "Answers questions from your documents and shows where each answer stands.",
                     *         "model": "default",
                     *         "instructions": "Answer from the documents, briefly, and say so when they do not answer.",
                     *         "collectionIds": [
                     *           "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "tools": [
                     *           "search_knowledge"
                     *         ],
                     *         "status": "active",
                     *         "revision": 1,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Knowledge assistant",
                     *         "description": "Answers questions from your documents and shows where each answer stands.",
                     *         "model": "default",
                     *         "instructions": "Answer from the documents, briefly, and say so when they do not answer.",
                     *         "collectionIds": [
                     *           "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "tools": [
                     *           "search_knowledge"
                     *         ],
                     *         "status": "active",
                     *         "revision": 1,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: {
                /** @description Only answers what the call would do. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "dryRun": true,
                     *         "effects": [
                     *           {
                     *             "effect": "deleted",
                     *             "resource": "document",
                     *             "count": 1,
                     *             "ids": [
                     *               "doc_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Preview"];
                    };
                };
            };
            /** @description Deleted. */
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
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
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
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Knowledge assistant",
                     *         "description": "Answers questions from your documents and shows where each answer stands.",
                     *         "model": "default",
                     *         "instructions": "Answer from the documents, briefly, and say so when they do not answer.",
                     *         "collectionIds": [
                     *           "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "tools": [
                     *           "search_knowledge"
                     *         ],
                     *         "status": "active",
                     *         "revision": 2,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    runAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the agent. */
                id: string;
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
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "agentId": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "agentRevision": 1,
                     *         "conversationId": "cnv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "endUserId": null,
                     *         "status": "succeeded",
                     *         "prompt": "How many days of leave do I have?",
                     *         "output": "\"Every full-time employee has 27 days of paid annual leave a year.\" [1]",
                     *         "structuredOutput": null,
                     *         "citations": [
                     *           {
                     *             "marker": "[1]",
                     *             "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *             "documentVersion": 1,
                     *             "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *             "quote": "Every full-time employee has 27 days of paid annual leave a year.",
                     *             "page": null,
                     *             "startOffset": 142,
                     *             "endOffset": 207
                     *           }
                     *         ],
                     *         "steps": [
                     *           {
                     *             "type": "tool",
                     *             "name": "search_knowledge",
                     *             "input": {
                     *               "query": "How many days of leave do I have?"
                     *             },
                     *             "output": {
                     *               "passages": [
                     *                 {
                     *                   "marker": "[1]",
                     *                   "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                   "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                   "documentVersion": 1,
                     *                   "title": "Leave and holidays",
                     *                   "text": "Every full-time employee has 27 days of paid annual leave a year.",
                     *                   "page": null,
                     *                   "startOffset": 142,
                     *                   "endOffset": 207
                     *                 }
                     *               ]
                     *             },
                     *             "startedAt": "2026-11-21T09:30:00.002Z",
                     *             "durationMs": 4
                     *           }
                     *         ],
                     *         "model": "extractive",
                     *         "usage": {
                     *           "inputTokens": 812,
                     *           "outputTokens": 24,
                     *           "costUsd": 0
                     *         },
                     *         "error": null,
                     *         "metadata": {},
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "startedAt": "2026-11-21T09:30:00.001Z",
                     *         "finishedAt": "2026-11-21T09:30:00.009Z",
                     *         "durationMs": 8
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            /** @description Accepted; it goes on after the reply. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "agentId": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "agentRevision": 1,
                     *         "conversationId": "cnv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "endUserId": null,
                     *         "status": "succeeded",
                     *         "prompt": "How many days of leave do I have?",
                     *         "output": "\"Every full-time employee has 27 days of paid annual leave a year.\" [1]",
                     *         "structuredOutput": null,
                     *         "citations": [
                     *           {
                     *             "marker": "[1]",
                     *             "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *             "documentVersion": 1,
                     *             "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *             "quote": "Every full-time employee has 27 days of paid annual leave a year.",
                     *             "page": null,
                     *             "startOffset": 142,
                     *             "endOffset": 207
                     *           }
                     *         ],
                     *         "steps": [
                     *           {
                     *             "type": "tool",
                     *             "name": "search_knowledge",
                     *             "input": {
                     *               "query": "How many days of leave do I have?"
                     *             },
                     *             "output": {
                     *               "passages": [
                     *                 {
                     *                   "marker": "[1]",
                     *                   "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                   "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                   "documentVersion": 1,
                     *                   "title": "Leave and holidays",
                     *                   "text": "Every full-time employee has 27 days of paid annual leave a year.",
                     *                   "page": null,
                     *                   "startOffset": 142,
                     *                   "endOffset": 207
                     *                 }
                     *               ]
                     *             },
                     *             "startedAt": "2026-11-21T09:30:00.002Z",
                     *             "durationMs": 4
                     *           }
                     *         ],
                     *         "model": "extractive",
                     *         "usage": {
                     *           "inputTokens": 812,
                     *           "outputTokens": 24,
                     *           "costUsd": 0
                     *         },
                     *         "error": null,
                     *         "metadata": {},
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "startedAt": "2026-11-21T09:30:00.001Z",
                     *         "finishedAt": "2026-11-21T09:30:00.009Z",
                     *         "durationMs": 8
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited.run_limit"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description Only runs of this conversation. */
                conversationId?: string;
                /** @description Only runs made at or after this instant. */
                createdAfter?: string;
                /** @description Only runs made before this instant. */
                createdBefore?: string;
                /** @description Only runs of this end user. */
                endUserId?: string;
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
                /** @description Only runs in this state. */
                status?: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "run_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "agentId": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "agentRevision": 1,
                     *           "conversationId": "cnv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "endUserId": null,
                     *           "status": "succeeded",
                     *           "prompt": "How many days of leave do I have?",
                     *           "output": "\"Every full-time employee has 27 days of paid annual leave a year.\" [1]",
                     *           "structuredOutput": null,
                     *           "citations": [
                     *             {
                     *               "marker": "[1]",
                     *               "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *               "documentVersion": 1,
                     *               "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *               "quote": "Every full-time employee has 27 days of paid annual leave a year.",
                     *               "page": null,
                     *               "startOffset": 142,
                     *               "endOffset": 207
                     *             }
                     *           ],
                     *           "steps": [
                     *             {
                     *               "type": "tool",
                     *               "name": "search_knowledge",
                     *               "input": {
                     *                 "query": "How many days of leave do I have?"
                     *               },
                     *               "output": {
                     *                 "passages": [
                     *                   {
                     *                     "marker": "[1]",
                     *                     "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                     "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                     "documentVersion": 1,
                     *                     "title": "Leave and holidays",
                     *                     "text": "Every full-time employee has 27 days of paid annual leave a year.",
                     *                     "page": null,
                     *                     "startOffset": 142,
                     *                     "endOffset": 207
                     *                   }
                     *                 ]
                     *               },
                     *               "startedAt": "2026-11-21T09:30:00.002Z",
                     *               "durationMs": 4
                     *             }
                     *           ],
                     *           "model": "extractive",
                     *           "usage": {
                     *             "inputTokens": 812,
                     *             "outputTokens": 24,
                     *             "costUsd": 0
                     *           },
                     *           "error": null,
                     *           "metadata": {},
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "startedAt": "2026-11-21T09:30:00.001Z",
                     *           "finishedAt": "2026-11-21T09:30:00.009Z",
                     *           "durationMs": 8
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listAgentTemplates: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "knowledge-assistant",
                     *           "name": "Knowledge assistant",
                     *           "description": "Answers questions from your documents and shows where each answer stands.",
                     *           "category": "knowledge",
                     *           "instructions": "Answer from the documents, briefly, and say so when they do not answer.",
                     *           "tools": [
                     *             "search_knowledge"
                     *           ]
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AgentTemplate"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    installAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the template. */
                template: string;
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
            /** @description Created. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Knowledge assistant",
                     *         "description": "Answers questions from your documents and shows where each answer stands.",
                     *         "model": "default",
                     *         "instructions": "Answer from the documents, briefly, and say so when they do not answer.",
                     *         "collectionIds": [
                     *           "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "tools": [
                     *           "search_knowledge"
                     *         ],
                     *         "status": "active",
                     *         "revision": 1,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "key_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "name": "Nightly import",
                     *           "environment": "live",
                     *           "hint": "sk_live_…x4Qd",
                     *           "permissions": [
                     *             "knowledge:read",
                     *             "knowledge:write"
                     *           ],
                     *           "agentIds": null,
                     *           "collectionIds": [
                     *             "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *           ],
                     *           "allowedAddresses": null,
                     *           "status": "active",
                     *           "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "expiresAt": "2027-11-21T00:00:00.000Z",
                     *           "revokedAt": null,
                     *           "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "updatedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
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
            /** @description Created. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Nightly import",
                     *         "environment": "live",
                     *         "hint": "sk_live_…x4Qd",
                     *         "permissions": [
                     *           "knowledge:read",
                     *           "knowledge:write"
                     *         ],
                     *         "agentIds": null,
                     *         "collectionIds": [
                     *           "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "allowedAddresses": null,
                     *         "status": "active",
                     *         "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "expiresAt": "2027-11-21T00:00:00.000Z",
                     *         "revokedAt": null,
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z",
                     *         "key": "sk_live_…"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKeyWithSecret"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required.sandbox_forbidden"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Nightly import",
                     *         "environment": "live",
                     *         "hint": "sk_live_…x4Qd",
                     *         "permissions": [
                     *           "knowledge:read",
                     *           "knowledge:write"
                     *         ],
                     *         "agentIds": null,
                     *         "collectionIds": [
                     *           "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "allowedAddresses": null,
                     *         "status": "active",
                     *         "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "expiresAt": "2027-11-21T00:00:00.000Z",
                     *         "revokedAt": null,
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the key. */
                id: string;
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
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Nightly import",
                     *         "environment": "live",
                     *         "hint": "sk_live_…x4Qd",
                     *         "permissions": [
                     *           "knowledge:read",
                     *           "knowledge:write"
                     *         ],
                     *         "agentIds": null,
                     *         "collectionIds": [
                     *           "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "allowedAddresses": null,
                     *         "status": "active",
                     *         "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "expiresAt": "2027-11-21T00:00:00.000Z",
                     *         "revokedAt": null,
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: {
                /** @description Only answers what the call would do. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Nightly import",
                     *         "environment": "live",
                     *         "hint": "sk_live_…x4Qd",
                     *         "permissions": [
                     *           "knowledge:read",
                     *           "knowledge:write"
                     *         ],
                     *         "agentIds": null,
                     *         "collectionIds": [
                     *           "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "allowedAddresses": null,
                     *         "status": "revoked",
                     *         "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "expiresAt": "2027-11-21T00:00:00.000Z",
                     *         "revokedAt": "2026-11-21T09:30:00.000Z",
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"] | components["schemas"]["Preview"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the key. */
                id: string;
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
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Nightly import",
                     *         "environment": "live",
                     *         "hint": "sk_live_…x4Qd",
                     *         "permissions": [
                     *           "knowledge:read",
                     *           "knowledge:write"
                     *         ],
                     *         "agentIds": null,
                     *         "collectionIds": [
                     *           "col_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "allowedAddresses": null,
                     *         "status": "active",
                     *         "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "expiresAt": "2027-11-21T00:00:00.000Z",
                     *         "revokedAt": null,
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z",
                     *         "key": "sk_live_…"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKeyWithSecret"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Only this action. */
                action?: string;
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description Only changes made with this key. */
                keyId?: string;
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
                /** @description Only changes of this record. */
                resourceId?: string;
                /** @description Only this person's changes. */
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aud_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "environment": "live",
                     *           "actor": "key",
                     *           "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "keyId": "key_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "action": "agent.create",
                     *           "resourceId": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "details": {
                     *             "name": "Support"
                     *           },
                     *           "address": "203.0.113.7",
                     *           "requestId": "req_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "createdAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description Only connections of this integration. */
                integrationId?: string;
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
                /** @description Only connections in this status. */
                status?: "pending" | "active" | "needs_reauth" | "failed" | "revoked" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "con_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "integrationId": "github",
                     *           "name": "GitHub",
                     *           "status": "active",
                     *           "account": {
                     *             "id": "583231",
                     *             "name": "octocat"
                     *           },
                     *           "scopes": [
                     *             "repo",
                     *             "read:org"
                     *           ],
                     *           "lastSyncAt": null,
                     *           "lastError": null,
                     *           "createdAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Connection"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "con_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "integrationId": "github",
                     *         "name": "GitHub",
                     *         "status": "active",
                     *         "account": {
                     *           "id": "583231",
                     *           "name": "octocat"
                     *         },
                     *         "scopes": [
                     *           "repo",
                     *           "read:org"
                     *         ],
                     *         "lastSyncAt": null,
                     *         "lastError": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Connection"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    disconnectIntegration: {
        parameters: {
            query?: {
                /** @description Only answers what the call would do. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the connection. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "dryRun": true,
                     *         "effects": [
                     *           {
                     *             "effect": "deleted",
                     *             "resource": "document",
                     *             "count": 1,
                     *             "ids": [
                     *               "doc_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Preview"];
                    };
                };
            };
            /** @description Deleted. */
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
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    testIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the connection. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "ok": true,
                     *         "status": "active",
                     *         "account": {
                     *           "id": "583231",
                     *           "name": "octocat"
                     *         },
                     *         "error": null,
                     *         "checkedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ConnectionTest"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.connection_not_active.idempotency_in_progress.idempotency_interrupted"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listIntegrationCatalog: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "github",
                     *           "name": "GitHub",
                     *           "description": "Repositories, issues and pull requests of a GitHub account.",
                     *           "category": "development",
                     *           "auth": "oauth2",
                     *           "configSchema": {
                     *             "type": "object",
                     *             "properties": {},
                     *             "additionalProperties": false
                     *           },
                     *           "capabilities": [],
                     *           "configured": true,
                     *           "documentationUrl": "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
                     *           "credentialsSchema": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CatalogEntry"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    connectIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
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
            /** @description Created. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "con_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "integrationId": "github",
                     *         "name": "GitHub",
                     *         "status": "pending",
                     *         "account": null,
                     *         "scopes": [],
                     *         "lastSyncAt": null,
                     *         "lastError": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "authorizationUrl": "https://github.com/login/oauth/authorize?client_id=Iv1.8a61f9b3a7aba766&response_type=code&code_challenge_method=S256",
                     *         "expiresAt": "2026-11-21T09:40:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["StartedConnection"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted.integration_not_configured"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.credentials_rejected.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.integration_unreachable.unavailable"];
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "name": "Handbook",
                     *           "description": "How we work.",
                     *           "documentCount": 12,
                     *           "chunkCount": 148,
                     *           "sizeBytes": 482130,
                     *           "embedding": null,
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "updatedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Collection"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
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
            /** @description Created. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Handbook",
                     *         "description": "How we work.",
                     *         "documentCount": 12,
                     *         "chunkCount": 148,
                     *         "sizeBytes": 482130,
                     *         "embedding": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Collection"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the collection. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Handbook",
                     *         "description": "How we work.",
                     *         "documentCount": 12,
                     *         "chunkCount": 148,
                     *         "sizeBytes": 482130,
                     *         "embedding": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Collection"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    deleteCollection: {
        parameters: {
            query?: {
                /** @description Only answers what the call would do. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the collection. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "dryRun": true,
                     *         "effects": [
                     *           {
                     *             "effect": "deleted",
                     *             "resource": "document",
                     *             "count": 1,
                     *             "ids": [
                     *               "doc_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Preview"];
                    };
                };
            };
            /** @description Deleted. */
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
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the collection. */
                id: string;
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
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Handbook 2027",
                     *         "description": "How we work.",
                     *         "documentCount": 12,
                     *         "chunkCount": 148,
                     *         "sizeBytes": 482130,
                     *         "embedding": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Collection"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description Only those of this collection. */
                collectionId?: string;
                /** @description Only those with this external id. */
                externalId?: string;
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
                /** @description Only those in this status. */
                status?: "queued" | "parsing" | "indexing" | "ready" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "collectionId": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "externalId": "wiki/4711",
                     *           "name": "leave.md",
                     *           "title": "Leave and holidays",
                     *           "mediaType": "text/markdown",
                     *           "sizeBytes": 4213,
                     *           "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "version": 1,
                     *           "status": "ready",
                     *           "progress": 1,
                     *           "error": null,
                     *           "pageCount": null,
                     *           "chunkCount": 5,
                     *           "metadata": {
                     *             "department": "people"
                     *           },
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "updatedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Document"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * @description The collection that it goes into.
                     * @example col_01kajz4v7qf3x8m2c9t5b6n0rw
                     */
                    collectionId: string;
                    /**
                     * @description The document's id in the system that it comes from; unique in its collection.
                     * @example wiki/4711
                     */
                    externalId?: string;
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: string;
                    /**
                     * @description Up to 50 fields of your own, as JSON.
                     * @example {
                     *       "department": "support",
                     *       "year": 2026
                     *     }
                     */
                    metadata?: {
                        [key: string]: string | number | boolean | null | string[];
                    };
                    /** @description Found in the file unless given. */
                    title?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "collectionId": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "externalId": "wiki/4711",
                     *         "name": "leave.md",
                     *         "title": "Leave and holidays",
                     *         "mediaType": "text/markdown",
                     *         "sizeBytes": 4213,
                     *         "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *         "version": 1,
                     *         "status": "queued",
                     *         "progress": 0,
                     *         "error": null,
                     *         "pageCount": null,
                     *         "chunkCount": 0,
                     *         "metadata": {
                     *           "department": "people"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Document"];
                    };
                };
            };
            400: components["responses"]["400.malformed_multipart.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required.storage_limit"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the document. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "collectionId": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "externalId": "wiki/4711",
                     *         "name": "leave.md",
                     *         "title": "Leave and holidays",
                     *         "mediaType": "text/markdown",
                     *         "sizeBytes": 4213,
                     *         "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *         "version": 1,
                     *         "status": "ready",
                     *         "progress": 1,
                     *         "error": null,
                     *         "pageCount": null,
                     *         "chunkCount": 5,
                     *         "metadata": {
                     *           "department": "people"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Document"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: {
                /** @description Only answers what the call would do. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the document. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "dryRun": true,
                     *         "effects": [
                     *           {
                     *             "effect": "deleted",
                     *             "resource": "document",
                     *             "count": 1,
                     *             "ids": [
                     *               "doc_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Preview"];
                    };
                };
            };
            /** @description Deleted. */
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
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getDocumentContent: {
        parameters: {
            query?: {
                /** @description The first code point. */
                from?: number;
                /** @description Behind the last one. */
                to?: number;
            };
            header?: never;
            path: {
                /** @description The id of the document. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "version": 1,
                     *         "startOffset": 210,
                     *         "endOffset": 253,
                     *         "length": 4100,
                     *         "text": "Everybody has 28 days of paid leave a year."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DocumentContent"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.conflict"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getDocumentOriginal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the document. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    searchKnowledge: {
        parameters: {
            query?: {
                /** @description Only in these collections; may be repeated. All that the key reaches unless given. */
                collectionId?: string[];
                /** @description Adds to each result what its score is made of. */
                explain?: boolean;
                /** @description `auto` takes the best that the collections offer, which is `text` as long as there are no embeddings. */
                mode?: "auto" | "text";
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
                /** @description The same as `query`. */
                q?: string;
                /** @description What to look for, in plain words. */
                query?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "externalId": "wiki/4711",
                     *           "documentVersion": 1,
                     *           "collectionId": "col_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "title": "Leave and holidays",
                     *           "text": "Everybody has 28 days of paid leave a year.",
                     *           "highlights": [
                     *             {
                     *               "startOffset": 17,
                     *               "endOffset": 21
                     *             }
                     *           ],
                     *           "score": 7.42,
                     *           "location": {
                     *             "page": null,
                     *             "startOffset": 210,
                     *             "endOffset": 253
                     *           },
                     *           "metadata": {
                     *             "department": "people"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 10,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SearchHit"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listModels: {
        parameters: {
            query?: {
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "extractive",
                     *           "provider": "atrium",
                     *           "description": "Finds and quotes the sentences that answer best; no network, no cost.",
                     *           "contextTokens": null,
                     *           "price": {
                     *             "inputUsdPerMillionTokens": 0,
                     *             "cachedInputUsdPerMillionTokens": 0,
                     *             "outputUsdPerMillionTokens": 0
                     *           },
                     *           "isDefault": true
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Model"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the run. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "agentId": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "agentRevision": 1,
                     *         "conversationId": "cnv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "endUserId": null,
                     *         "status": "succeeded",
                     *         "prompt": "How many days of leave do I have?",
                     *         "output": "\"Every full-time employee has 27 days of paid annual leave a year.\" [1]",
                     *         "structuredOutput": null,
                     *         "citations": [
                     *           {
                     *             "marker": "[1]",
                     *             "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *             "documentVersion": 1,
                     *             "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *             "quote": "Every full-time employee has 27 days of paid annual leave a year.",
                     *             "page": null,
                     *             "startOffset": 142,
                     *             "endOffset": 207
                     *           }
                     *         ],
                     *         "steps": [
                     *           {
                     *             "type": "tool",
                     *             "name": "search_knowledge",
                     *             "input": {
                     *               "query": "How many days of leave do I have?"
                     *             },
                     *             "output": {
                     *               "passages": [
                     *                 {
                     *                   "marker": "[1]",
                     *                   "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                   "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                   "documentVersion": 1,
                     *                   "title": "Leave and holidays",
                     *                   "text": "Every full-time employee has 27 days of paid annual leave a year.",
                     *                   "page": null,
                     *                   "startOffset": 142,
                     *                   "endOffset": 207
                     *                 }
                     *               ]
                     *             },
                     *             "startedAt": "2026-11-21T09:30:00.002Z",
                     *             "durationMs": 4
                     *           }
                     *         ],
                     *         "model": "extractive",
                     *         "usage": {
                     *           "inputTokens": 812,
                     *           "outputTokens": 24,
                     *           "costUsd": 0
                     *         },
                     *         "error": null,
                     *         "metadata": {},
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "startedAt": "2026-11-21T09:30:00.001Z",
                     *         "finishedAt": "2026-11-21T09:30:00.009Z",
                     *         "durationMs": 8
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the run. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "agentId": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "agentRevision": 1,
                     *         "conversationId": "cnv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "endUserId": null,
                     *         "status": "cancelled",
                     *         "prompt": "How many days of leave do I have?",
                     *         "output": null,
                     *         "structuredOutput": null,
                     *         "citations": [],
                     *         "steps": [
                     *           {
                     *             "type": "tool",
                     *             "name": "search_knowledge",
                     *             "input": {
                     *               "query": "How many days of leave do I have?"
                     *             },
                     *             "output": {
                     *               "passages": [
                     *                 {
                     *                   "marker": "[1]",
                     *                   "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                   "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                   "documentVersion": 1,
                     *                   "title": "Leave and holidays",
                     *                   "text": "Every full-time employee has 27 days of paid annual leave a year.",
                     *                   "page": null,
                     *                   "startOffset": 142,
                     *                   "endOffset": 207
                     *                 }
                     *               ]
                     *             },
                     *             "startedAt": "2026-11-21T09:30:00.002Z",
                     *             "durationMs": 4
                     *           }
                     *         ],
                     *         "model": "extractive",
                     *         "usage": {
                     *           "inputTokens": 812,
                     *           "outputTokens": 24,
                     *           "costUsd": 0
                     *         },
                     *         "error": null,
                     *         "metadata": {},
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "startedAt": "2026-11-21T09:30:00.001Z",
                     *         "finishedAt": "2026-11-21T09:30:00.009Z",
                     *         "durationMs": 8
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            /** @description Accepted; it goes on after the reply. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "run_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "agentId": "agt_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "agentRevision": 1,
                     *         "conversationId": "cnv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "endUserId": null,
                     *         "status": "cancelled",
                     *         "prompt": "How many days of leave do I have?",
                     *         "output": null,
                     *         "structuredOutput": null,
                     *         "citations": [],
                     *         "steps": [
                     *           {
                     *             "type": "tool",
                     *             "name": "search_knowledge",
                     *             "input": {
                     *               "query": "How many days of leave do I have?"
                     *             },
                     *             "output": {
                     *               "passages": [
                     *                 {
                     *                   "marker": "[1]",
                     *                   "chunkId": "chk_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                   "documentId": "doc_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *                   "documentVersion": 1,
                     *                   "title": "Leave and holidays",
                     *                   "text": "Every full-time employee has 27 days of paid annual leave a year.",
                     *                   "page": null,
                     *                   "startOffset": 142,
                     *                   "endOffset": 207
                     *                 }
                     *               ]
                     *             },
                     *             "startedAt": "2026-11-21T09:30:00.002Z",
                     *             "durationMs": 4
                     *           }
                     *         ],
                     *         "model": "extractive",
                     *         "usage": {
                     *           "inputTokens": 812,
                     *           "outputTokens": 24,
                     *           "costUsd": 0
                     *         },
                     *         "error": null,
                     *         "metadata": {},
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "startedAt": "2026-11-21T09:30:00.001Z",
                     *         "finishedAt": "2026-11-21T09:30:00.009Z",
                     *         "durationMs": 8
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "plan": "starter",
                     *         "environment": "live",
                     *         "requestsPerMinute": {
                     *           "limit": 100,
                     *           "used": 7,
                     *           "resetsAt": "2026-11-21T09:31:00.000Z"
                     *         },
                     *         "storageBytes": {
                     *           "limit": 5242880000,
                     *           "used": 48213004
                     *         },
                     *         "uploadBytes": {
                     *           "limit": 104857600
                     *         },
                     *         "members": {
                     *           "limit": 10,
                     *           "used": 3
                     *         },
                     *         "runsAtOnce": {
                     *           "limit": 5,
                     *           "used": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Usage"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wsp_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Example Ltd",
                     *         "slug": "example-ltd",
                     *         "plan": "professional",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
                /** @description Only invitations in this status. */
                status?: "pending" | "accepted" | "declined" | "revoked" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "inv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "email": "grace@example.com",
                     *           "role": "member",
                     *           "teamIds": [
                     *             "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *           ],
                     *           "message": "Welcome aboard!",
                     *           "status": "pending",
                     *           "delivery": "link",
                     *           "deliveryError": null,
                     *           "invitedBy": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "expiresAt": "2026-11-28T09:30:00.000Z",
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "updatedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the invitation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "email": "grace@example.com",
                     *         "role": "member",
                     *         "teamIds": [
                     *           "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "message": "Welcome aboard!",
                     *         "status": "pending",
                     *         "delivery": "link",
                     *         "deliveryError": null,
                     *         "invitedBy": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "expiresAt": "2026-11-28T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Invitation"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the invitation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "email": "grace@example.com",
                     *         "role": "member",
                     *         "teamIds": [
                     *           "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "message": "Welcome aboard!",
                     *         "status": "pending",
                     *         "delivery": "link",
                     *         "deliveryError": null,
                     *         "invitedBy": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "expiresAt": "2026-11-28T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z",
                     *         "acceptUrl": "https://atrium.example.com/invitations/4Zq0b7Xh2mWc9Lr5"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IssuedInvitation"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.member_limit.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: {
                /** @description Only answers what the call would do. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the invitation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "email": "grace@example.com",
                     *         "role": "member",
                     *         "teamIds": [
                     *           "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "message": "Welcome aboard!",
                     *         "status": "revoked",
                     *         "delivery": "link",
                     *         "deliveryError": null,
                     *         "invitedBy": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "expiresAt": "2026-11-28T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Invitation"] | components["schemas"]["Preview"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
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
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "email": "grace@example.com",
                     *         "role": "member",
                     *         "teamIds": [
                     *           "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "message": "Welcome aboard!",
                     *         "status": "accepted",
                     *         "delivery": "link",
                     *         "deliveryError": null,
                     *         "invitedBy": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "expiresAt": "2026-11-28T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z",
                     *         "memberId": "mem_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AcceptedInvitation"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.member_limit.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description Only persons, or only service accounts. */
                kind?: "person" | "service";
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
                /** @description Only members with this role. */
                role?: "owner" | "admin" | "member" | "viewer";
                /** @description Only members of this team. */
                teamId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "mem_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "name": "Ada Lovelace",
                     *           "email": "ada@example.com",
                     *           "role": "admin",
                     *           "kind": "person",
                     *           "teamIds": [
                     *             "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *           ],
                     *           "joinedAt": "2026-11-21T09:30:00.000Z",
                     *           "lastActiveAt": "2026-11-21T10:12:45.120Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the member. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com",
                     *         "role": "admin",
                     *         "kind": "person",
                     *         "teamIds": [
                     *           "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "joinedAt": "2026-11-21T09:30:00.000Z",
                     *         "lastActiveAt": "2026-11-21T10:12:45.120Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    deleteMember: {
        parameters: {
            query?: {
                /** @description Only answers what the call would do. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the member. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "dryRun": true,
                     *         "effects": [
                     *           {
                     *             "effect": "deleted",
                     *             "resource": "document",
                     *             "count": 1,
                     *             "ids": [
                     *               "doc_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Preview"];
                    };
                };
            };
            /** @description Deleted. */
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
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required.sandbox_forbidden"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted.last_owner"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the member. */
                id: string;
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
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com",
                     *         "role": "admin",
                     *         "kind": "person",
                     *         "teamIds": [
                     *           "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "joinedAt": "2026-11-21T09:30:00.000Z",
                     *         "lastActiveAt": "2026-11-21T10:12:45.120Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required.sandbox_forbidden"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted.last_owner"];
            412: components["responses"]["412.precondition_failed"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
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
            /** @description Created. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "email": "grace@example.com",
                     *         "role": "member",
                     *         "teamIds": [
                     *           "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "message": "Welcome aboard!",
                     *         "status": "pending",
                     *         "delivery": "link",
                     *         "deliveryError": null,
                     *         "invitedBy": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "expiresAt": "2026-11-28T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z",
                     *         "acceptUrl": "https://atrium.example.com/invitations/4Zq0b7Xh2mWc9Lr5"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IssuedInvitation"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.member_limit.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "team_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "name": "Support",
                     *           "description": "Answers customers",
                     *           "memberCount": 4,
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "updatedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Team"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
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
            /** @description Created. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "team_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Support",
                     *         "description": "Answers customers",
                     *         "memberCount": 4,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Team"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required.sandbox_forbidden"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the team. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "team_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Support",
                     *         "description": "Answers customers",
                     *         "memberCount": 4,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Team"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    deleteTeam: {
        parameters: {
            query?: {
                /** @description Only answers what the call would do. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the team. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "dryRun": true,
                     *         "effects": [
                     *           {
                     *             "effect": "deleted",
                     *             "resource": "document",
                     *             "count": 1,
                     *             "ids": [
                     *               "doc_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Preview"];
                    };
                };
            };
            /** @description Deleted. */
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
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required.sandbox_forbidden"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    updateTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the team. */
                id: string;
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
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "team_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Support",
                     *         "description": "Answers customers",
                     *         "memberCount": 4,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Team"];
                    };
                };
            };
            400: components["responses"]["400.malformed_json.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required.sandbox_forbidden"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            408: components["responses"]["408.request_timeout"];
            409: components["responses"]["409.conflict.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    listTeamMembers: {
        parameters: {
            query?: {
                /** @description Goes on after the row with this id, at any depth; then `page` counts from there. */
                after?: string;
                /** @description The page, from 1. */
                page?: number;
                /** @description Items per page. */
                pageSize?: number;
            };
            header?: never;
            path: {
                /** @description The id of the team. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "mem_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *           "name": "Ada Lovelace",
                     *           "email": "ada@example.com",
                     *           "role": "admin",
                     *           "kind": "person",
                     *           "teamIds": [
                     *             "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *           ],
                     *           "joinedAt": "2026-11-21T09:30:00.000Z",
                     *           "lastActiveAt": "2026-11-21T10:12:45.120Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        meta: {
                            /** @description The current page, from 1. */
                            page: number;
                            /** @description Items per page. */
                            pageSize: number;
                            /** @description All items, exactly. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    addTeamMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the team. */
                id: string;
                /** @description The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "userId": "usr_01kajz4v7qf3x8m2c9t5b6n0rw",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com",
                     *         "role": "admin",
                     *         "kind": "person",
                     *         "teamIds": [
                     *           "team_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *         ],
                     *         "joinedAt": "2026-11-21T09:30:00.000Z",
                     *         "lastActiveAt": "2026-11-21T10:12:45.120Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"];
                    };
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required.sandbox_forbidden"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
    removeTeamMember: {
        parameters: {
            query?: {
                /** @description Only answers what the call would do. */
                dryRun?: boolean;
            };
            header?: {
                /** @description Makes a repetition safe: the same key and request are answered with the stored reply for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read: the call fails with 412 where the record has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the team. */
                id: string;
                /** @description The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `dryRun=true`: what the call would do. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "dryRun": true,
                     *         "effects": [
                     *           {
                     *             "effect": "deleted",
                     *             "resource": "document",
                     *             "count": 1,
                     *             "ids": [
                     *               "doc_01kajz4v7qf3x8m2c9t5b6n0rw"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Preview"];
                    };
                };
            };
            /** @description Deleted. */
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
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.unauthenticated"];
            403: components["responses"]["403.address_not_allowed.permission_missing.plan_required.sandbox_forbidden"];
            404: components["responses"]["404.not_found"];
            406: components["responses"]["406.not_acceptable"];
            409: components["responses"]["409.idempotency_in_progress.idempotency_interrupted"];
            412: components["responses"]["412.precondition_failed"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.idempotency_mismatch"];
            429: components["responses"]["429.rate_limited"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.unavailable"];
        };
    };
}

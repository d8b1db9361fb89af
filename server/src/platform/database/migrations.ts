/** The migrations in their order. They bring a database that has data to the schema that `tables.ts` states. */
import type { Migration } from './table.ts'

/** A released migration is never edited. A new one is added at the end, together with its change in `schema/`. */
export const migrations: readonly Migration[] = [
  {
    number: 36,
    name: 'records of periodic tasks',
    up: ({ id, text, integer }) => [
      `CREATE TABLE schedules (
        name ${id} NOT NULL,
        server ${id} NOT NULL,
        every_ms ${integer} NOT NULL,
        registered_at ${integer} NOT NULL,
        begun_at ${integer},
        holder ${id},
        held_until ${integer},
        succeeded_at ${integer},
        failed_at ${integer},
        duration_ms ${integer},
        failures ${integer} NOT NULL,
        error ${text},
        PRIMARY KEY (name, server)
      )`,
      'DROP TABLE chore_turns',
    ],
  },
  {
    number: 37,
    name: 'parameters of models',
    up: ({ json }) => [
      `ALTER TABLE agents ADD COLUMN model_parameters ${json} NOT NULL DEFAULT '{}'`,
      `ALTER TABLE runs ADD COLUMN model_parameters ${json} NOT NULL DEFAULT '{}'`,
    ],
  },
  {
    number: 38,
    name: 'narrowed runs and conversations',
    up: ({ json }) =>
      ['conversations', 'runs'].flatMap(table => [
        `ALTER TABLE ${table} ADD COLUMN collection_ids ${json}`,
        `ALTER TABLE ${table} ADD COLUMN filter ${json}`,
      ]),
  },
  {
    number: 39,
    name: 'functions that the caller runs',
    up: ({ id, json }) => [
      `ALTER TABLE agents ADD COLUMN functions ${json} NOT NULL DEFAULT '[]'`,
      `ALTER TABLE runs ADD COLUMN functions ${json} NOT NULL DEFAULT '[]'`,
      `ALTER TABLE runs ADD COLUMN tool_choice ${json}`,
      `ALTER TABLE run_tool_calls ADD COLUMN awaits ${id}`,
      `ALTER TABLE run_tool_calls ADD COLUMN result ${json}`,
      "UPDATE run_tool_calls SET awaits = 'approval' WHERE requested_at IS NOT NULL",
    ],
  },
  {
    number: 40,
    name: 'callbacks of runs, and one webhook endpoint for each URL',
    up: ({ id, text, integer }) => [
      `ALTER TABLE webhooks ADD COLUMN kind ${id} NOT NULL DEFAULT 'endpoint'`,
      `ALTER TABLE webhooks ADD COLUMN unique_key ${id}`,
      'DROP INDEX webhooks_list',
      'CREATE INDEX webhooks_of_kind ON webhooks (workspace_id, environment, kind, id)',
      'CREATE UNIQUE INDEX webhooks_unique ON webhooks (workspace_id, environment, unique_key) WHERE unique_key IS NOT NULL',
      `CREATE TABLE callback_secrets (
        workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        environment ${id} NOT NULL,
        secret ${text} NOT NULL,
        previous_secret ${text},
        previous_secret_expires_at ${integer},
        created_at ${integer} NOT NULL,
        updated_at ${integer} NOT NULL,
        PRIMARY KEY (workspace_id, environment)
      )`,
      `ALTER TABLE webhook_deliveries ADD COLUMN url ${text}`,
      `ALTER TABLE webhook_deliveries ADD COLUMN run_id ${id}`,
      'CREATE INDEX webhook_deliveries_run ON webhook_deliveries (run_id) WHERE run_id IS NOT NULL',
      `ALTER TABLE runs ADD COLUMN callback_url ${text}`,
    ],
  },
  {
    number: 41,
    name: 'messages that a run is given',
    up: ({ json }) => [`ALTER TABLE runs ADD COLUMN messages ${json}`],
  },
  {
    number: 42,
    name: 'keys that are narrowed to a filter',
    up: ({ json }) => [`ALTER TABLE api_keys ADD COLUMN filter ${json}`],
  },
  {
    number: 43,
    name: 'conversations of persons',
    up: ({ id, text, integer }) => [
      `ALTER TABLE agents ADD COLUMN viewers_may_run ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE conversations ADD COLUMN owner_id ${id}`,
      `ALTER TABLE conversations ADD COLUMN shared_with ${id}`,
      `ALTER TABLE runs ADD COLUMN owner_id ${id}`,
      `CREATE TABLE conversation_teams (
        conversation_id ${id} NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        team_id ${id} NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        created_at ${integer} NOT NULL,
        PRIMARY KEY (conversation_id, team_id)
      )`,
      'CREATE INDEX conversation_teams_of_team ON conversation_teams (team_id)',
      `CREATE TABLE conversation_openings (
        id ${id} NOT NULL PRIMARY KEY,
        conversation_id ${id} NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        workspace_id ${id} NOT NULL,
        environment ${id} NOT NULL,
        user_id ${id} NOT NULL,
        reason ${text} NOT NULL,
        created_at ${integer} NOT NULL,
        expires_at ${integer} NOT NULL
      )`,
      'CREATE INDEX conversation_openings_list ON conversation_openings (conversation_id, id)',
      'CREATE INDEX conversation_openings_of_user ON conversation_openings (user_id, expires_at)',
      // Who made the first run began the conversation.
      `UPDATE conversations SET owner_id = (
        SELECT CASE WHEN begun.caller LIKE '%"kind":"person"%' THEN begun.author_id END FROM runs AS begun
        WHERE begun.conversation_id = conversations.id ORDER BY begun.turn LIMIT 1
      )`,
      // A branch without runs would tell what it remembers.
      `UPDATE conversations SET owner_id = (
        SELECT parent.owner_id FROM conversations AS parent WHERE parent.id = conversations.parent_id
      ) WHERE run_count = 0 AND parent_id IS NOT NULL`,
      `UPDATE runs SET owner_id = (
        SELECT conversations.owner_id FROM conversations WHERE conversations.id = runs.conversation_id
      ) WHERE conversation_id IN (SELECT id FROM conversations WHERE owner_id IS NOT NULL)`,
      'CREATE INDEX runs_of_persons ON runs (workspace_id, environment, agent_id, owner_id, conversation_id) WHERE owner_id IS NOT NULL',
      'CREATE INDEX conversations_shared ON conversations (workspace_id, environment, id) WHERE shared_with IS NOT NULL',
      'CREATE INDEX conversations_of_persons ON conversations (workspace_id, environment, owner_id, agent_id, id) WHERE owner_id IS NOT NULL',
    ],
  },
  {
    number: 44,
    name: 'schedules and triggers of agents',
    up: ({ id, text, json, integer }) => [
      `ALTER TABLE runs ADD COLUMN started_by_id ${id}`,
      `CREATE TABLE agent_schedules (
        id ${id} NOT NULL PRIMARY KEY,
        workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        environment ${id} NOT NULL,
        agent_id ${id} NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        name ${text} NOT NULL,
        cron ${text} NOT NULL,
        time_zone ${text} NOT NULL,
        prompt ${text} NOT NULL,
        variables ${json} NOT NULL,
        metadata ${json} NOT NULL,
        missed_runs ${id} NOT NULL,
        status ${id} NOT NULL,
        stopped_reason ${id},
        caller ${json} NOT NULL,
        user_id ${id},
        next_run_at ${integer},
        last_run_id ${id},
        last_run_at ${integer},
        last_skipped_at ${integer},
        last_error ${json},
        created_at ${integer} NOT NULL,
        updated_at ${integer} NOT NULL,
        revision ${integer} NOT NULL
      )`,
      'CREATE INDEX agent_schedules_list ON agent_schedules (agent_id, id)',
      'CREATE INDEX agent_schedules_of_workspace ON agent_schedules (workspace_id)',
      'CREATE INDEX agent_schedules_due ON agent_schedules (next_run_at) WHERE next_run_at IS NOT NULL',
      `CREATE TABLE agent_triggers (
        id ${id} NOT NULL PRIMARY KEY,
        workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        environment ${id} NOT NULL,
        agent_id ${id} NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        name ${text} NOT NULL,
        prompt_template ${text} NOT NULL,
        variables ${json} NOT NULL,
        metadata ${json} NOT NULL,
        status ${id} NOT NULL,
        stopped_reason ${id},
        caller ${json} NOT NULL,
        user_id ${id},
        token_hash ${id} NOT NULL,
        require_signature ${integer} NOT NULL,
        secret ${text} NOT NULL,
        previous_token_hash ${id},
        previous_secret ${text},
        previous_expires_at ${integer},
        requests_per_minute ${integer} NOT NULL,
        last_run_id ${id},
        last_run_at ${integer},
        last_error ${json},
        created_at ${integer} NOT NULL,
        updated_at ${integer} NOT NULL,
        revision ${integer} NOT NULL
      )`,
      'CREATE INDEX agent_triggers_list ON agent_triggers (agent_id, id)',
      'CREATE INDEX agent_triggers_of_workspace ON agent_triggers (workspace_id)',
      'CREATE UNIQUE INDEX agent_triggers_token ON agent_triggers (token_hash)',
      'CREATE UNIQUE INDEX agent_triggers_previous_token ON agent_triggers (previous_token_hash) WHERE previous_token_hash IS NOT NULL',
      `CREATE TABLE trigger_deliveries (
        trigger_id ${id} NOT NULL REFERENCES agent_triggers (id) ON DELETE CASCADE,
        name_hash ${id} NOT NULL,
        body_hash ${id} NOT NULL,
        run_id ${id} NOT NULL,
        created_at ${integer} NOT NULL,
        PRIMARY KEY (trigger_id, name_hash)
      )`,
      'CREATE INDEX trigger_deliveries_age ON trigger_deliveries (created_at)',
    ],
  },
  {
    number: 45,
    name: 'lists across agents, and by the last change',
    up: () => [
      'DROP INDEX runs_with_feedback',
      'CREATE INDEX runs_with_feedback ON runs (agent_id, workspace_id, environment, feedback_rating, id) WHERE feedback_rating IS NOT NULL',
      'DROP INDEX runs_of_agent',
      'CREATE INDEX runs_of_agent ON runs (agent_id, workspace_id, environment, id, status, created_at, owner_id)',
      'CREATE INDEX runs_list ON runs (workspace_id, environment, id, status, created_at, feedback_rating, owner_id)',
      'CREATE INDEX runs_of_end_user ON runs (workspace_id, environment, end_user_id, id) WHERE end_user_id IS NOT NULL',
      'CREATE INDEX conversations_by_update ON conversations (workspace_id, environment, updated_at, id)',
      'CREATE INDEX conversations_of_end_user_by_update ON conversations (workspace_id, environment, end_user_id, updated_at, id) WHERE end_user_id IS NOT NULL',
      'CREATE INDEX documents_by_update ON documents (workspace_id, environment, updated_at, id)',
      'CREATE INDEX documents_of_collection_by_update ON documents (collection_id, updated_at, id)',
    ],
  },
  {
    number: 46,
    name: 'documents by their names and external ids',
    up: () => [
      'CREATE INDEX documents_by_name ON documents (workspace_id, environment, name)',
      'CREATE INDEX documents_by_external_id ON documents (workspace_id, environment, external_id) WHERE external_id IS NOT NULL',
    ],
  },
  {
    number: 47,
    name: 'browser tokens',
    up: ({ id, integer, json, real, text }) => [
      `CREATE TABLE browser_tokens (
        id ${id} NOT NULL PRIMARY KEY,
        workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        environment ${id} NOT NULL,
        key_id ${id} NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
        agent_id ${id} NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        token_hash ${id} NOT NULL UNIQUE,
        end_user_id ${text} NOT NULL,
        origins ${json} NOT NULL,
        functions ${json} NOT NULL,
        run_fields ${json} NOT NULL,
        max_runs ${integer} NOT NULL,
        max_tokens ${integer},
        max_cost_usd ${real},
        requests_per_minute ${integer} NOT NULL,
        run_count ${integer} NOT NULL,
        used_tokens ${integer} NOT NULL,
        used_cost_usd ${real} NOT NULL,
        created_at ${integer} NOT NULL,
        expires_at ${integer} NOT NULL,
        revoked_at ${integer}
      )`,
      'CREATE INDEX browser_tokens_list ON browser_tokens (workspace_id, environment, id)',
      'CREATE INDEX browser_tokens_of_key ON browser_tokens (key_id, expires_at)',
      'CREATE INDEX browser_tokens_of_agent ON browser_tokens (agent_id)',
      'CREATE INDEX browser_tokens_age ON browser_tokens (expires_at)',
    ],
  },
  {
    number: 48,
    name: 'apps that people connect by OAuth',
    up: ({ id, text, json, integer }) => [
      `ALTER TABLE api_keys ADD COLUMN app_client_id ${text}`,
      `ALTER TABLE api_keys ADD COLUMN app_host ${text}`,
      `ALTER TABLE api_keys ADD COLUMN app_audience ${id}`,
      'CREATE INDEX api_keys_of_apps ON api_keys (user_id, id) WHERE app_client_id IS NOT NULL',
      `CREATE TABLE app_clients (
        id ${id} NOT NULL PRIMARY KEY,
        name ${text} NOT NULL,
        redirect_uris ${json} NOT NULL,
        expires_at ${integer} NOT NULL,
        is_used ${integer} NOT NULL,
        created_at ${integer} NOT NULL
      )`,
      'CREATE INDEX app_clients_expiry ON app_clients (is_used, expires_at)',
      `CREATE TABLE app_codes (
        code_hash ${id} NOT NULL PRIMARY KEY,
        key_id ${id} NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
        client_id ${text} NOT NULL,
        redirect_uri ${text} NOT NULL,
        code_challenge ${text} NOT NULL,
        used_at ${integer},
        expires_at ${integer} NOT NULL
      )`,
      'CREATE INDEX app_codes_of_key ON app_codes (key_id)',
      'CREATE INDEX app_codes_expiry ON app_codes (expires_at)',
      `CREATE TABLE app_refresh_tokens (
        token_hash ${id} NOT NULL PRIMARY KEY,
        key_id ${id} NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
        client_id ${text} NOT NULL,
        used_at ${integer},
        expires_at ${integer} NOT NULL
      )`,
      'CREATE INDEX app_refresh_tokens_of_key ON app_refresh_tokens (key_id)',
      'CREATE INDEX app_refresh_tokens_expiry ON app_refresh_tokens (expires_at)',
      `CREATE TABLE app_devices (
        device_hash ${id} NOT NULL PRIMARY KEY,
        user_code_hash ${id} NOT NULL UNIQUE,
        client_id ${text} NOT NULL,
        permissions ${json} NOT NULL,
        address ${text} NOT NULL,
        status ${id} NOT NULL,
        key_id ${id} REFERENCES api_keys (id) ON DELETE CASCADE,
        polled_at ${integer},
        interval_seconds ${integer} NOT NULL,
        created_at ${integer} NOT NULL,
        expires_at ${integer} NOT NULL
      )`,
      'CREATE INDEX app_devices_of_key ON app_devices (key_id)',
      'CREATE INDEX app_devices_expiry ON app_devices (expires_at)',
    ],
  },
  {
    number: 49,
    name: 'tools that connected servers name themselves',
    up: ({ id, text, integer, json }) => [
      `ALTER TABLE connections ADD COLUMN oauth ${json}`,
      `ALTER TABLE connections ADD COLUMN tools_listed_at ${integer}`,
      `ALTER TABLE connections ADD COLUMN tools_note ${text}`,
      `CREATE TABLE connection_tools (
        connection_id ${id} NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
        name ${id} NOT NULL,
        workspace_id ${id} NOT NULL,
        environment ${id} NOT NULL,
        remote_name ${text} NOT NULL,
        offered ${json},
        offered_hash ${id},
        fault ${text},
        accepted ${json},
        accepted_hash ${id},
        accepted_by ${id},
        accepted_at ${integer},
        needs_approval ${integer} NOT NULL,
        created_at ${integer} NOT NULL,
        updated_at ${integer} NOT NULL,
        PRIMARY KEY (connection_id, name)
      )`,
      'CREATE UNIQUE INDEX connection_tools_name ON connection_tools (workspace_id, environment, name)',
    ],
  },
  {
    number: 50,
    name: 'postings of common terms, packed',
    up: ({ engine, id, integer, bytes }) => {
      const common = `SELECT terms.index_number, terms.term FROM search_terms AS terms
        JOIN search_indexes ON search_indexes.number = terms.index_number
        WHERE level_0 + level_1 + level_2 + level_3 >= ${engine === 'sqlite' ? 4096 : 1024}
          AND level_0 + level_1 + level_2 + level_3 >= chunk_count / ${engine === 'sqlite' ? 16 : 64}`
      const levels =
        "(SELECT 'a' AS letter, 0 AS level UNION ALL SELECT 'b', 1 UNION ALL SELECT 'c', 2 UNION ALL SELECT 'd', 3)"
      return [
        `CREATE TABLE search_blocks (
          index_number ${integer} NOT NULL,
          term ${id} NOT NULL,
          block ${integer} NOT NULL,
          postings ${bytes} NOT NULL,
          PRIMARY KEY (index_number, term, block)
        ) ${engine === 'sqlite' ? 'WITHOUT ROWID' : 'WITH (fillfactor = 60)'}`,
        engine === 'sqlite'
          ? `INSERT INTO search_blocks
              SELECT index_number, term, number / 1024,
                CAST(group_concat(unhex(printf('%02x%02x', posting & 255, posting >> 8)), '') AS BLOB)
              FROM (
                SELECT common.index_number, common.term, search_postings.rowid AS number,
                  (search_postings.rowid % 1024) * 4 + level AS posting
                FROM (${common}) AS common CROSS JOIN ${levels} AS levels CROSS JOIN search_postings
                WHERE search_postings MATCH '"' || common.index_number || letter || common.term || '"'
              ) GROUP BY 1, 2, 3`
          : `INSERT INTO search_blocks
              SELECT index_number, term, number / 1024,
                string_agg(set_byte(set_byte('\\x0000'::bytea, 0, posting & 255), 1, posting >> 8), ''::bytea)
              FROM (
                SELECT common.index_number, common.term, search_postings.rowid AS number,
                  ((search_postings.rowid % 1024) * 4 + level)::integer AS posting
                FROM (${common}) AS common CROSS JOIN ${levels} AS levels JOIN search_postings
                  ON tokens @@ ('''' || common.index_number || letter || common.term || '''')::tsquery
              ) AS postings GROUP BY 1, 2, 3`,
      ]
    },
  },
  {
    number: 51,
    name: 'models without an agent, and conversations of clients of OpenAI',
    up: ({ id, json, integer }) => [
      `ALTER TABLE agents ADD COLUMN serves_models ${integer} NOT NULL DEFAULT 0`,
      'CREATE UNIQUE INDEX agents_of_models ON agents (workspace_id, environment) WHERE serves_models = 1 AND deleted_at IS NULL',
      `CREATE TABLE openai_conversations (
        id ${id} NOT NULL PRIMARY KEY,
        workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        environment ${id} NOT NULL,
        author_id ${id} NOT NULL,
        metadata ${json} NOT NULL,
        entries ${json} NOT NULL,
        stored_bytes ${integer} NOT NULL,
        created_at ${integer} NOT NULL,
        updated_at ${integer} NOT NULL
      )`,
      'CREATE INDEX openai_conversations_of_environment ON openai_conversations (workspace_id, environment, stored_bytes)',
      'CREATE INDEX openai_conversations_of_author ON openai_conversations (author_id)',
      'CREATE INDEX openai_conversations_unused ON openai_conversations (updated_at)',
    ],
  },
  {
    number: 52,
    name: 'chats for anonymous visitors, and what end users say of answers',
    up: ({ engine, id, integer, json, real }) => [
      `ALTER TABLE browser_tokens ADD COLUMN address_hash ${id}`,
      'CREATE INDEX browser_tokens_of_visitor ON browser_tokens (agent_id, end_user_id, expires_at) WHERE address_hash IS NOT NULL',
      'CREATE INDEX browser_tokens_of_address ON browser_tokens (agent_id, address_hash, expires_at) WHERE address_hash IS NOT NULL',
      'CREATE INDEX browser_tokens_of_servers ON browser_tokens (workspace_id, environment, address_hash, id) WHERE address_hash IS NULL',
      'DROP INDEX browser_tokens_of_agent',
      'CREATE INDEX browser_tokens_of_agent ON browser_tokens (agent_id, expires_at)',
      'CREATE INDEX browser_tokens_unused ON browser_tokens (expires_at) WHERE address_hash IS NOT NULL AND run_count = 0',
      `CREATE TABLE public_chats (
        agent_id ${id} NOT NULL PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
        workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        environment ${id} NOT NULL,
        key_id ${id} NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
        origins ${json} NOT NULL,
        functions ${json} NOT NULL,
        visitor_per_hour ${json} NOT NULL,
        address_per_hour ${json} NOT NULL,
        per_day ${json} NOT NULL,
        day ${integer} NOT NULL,
        run_count ${integer} NOT NULL,
        used_tokens ${integer} NOT NULL,
        used_cost_usd ${real} NOT NULL,
        created_at ${integer} NOT NULL,
        updated_at ${integer} NOT NULL,
        revision ${integer} NOT NULL
      )`,
      'CREATE INDEX public_chats_of_key ON public_chats (key_id)',
      'CREATE INDEX public_chats_of_workspace ON public_chats (workspace_id)',
      `ALTER TABLE runs ADD COLUMN end_user_feedback ${json}`,
      // What end users have said until now stands with what everybody says.
      `UPDATE runs SET end_user_feedback = ${
        engine === 'sqlite' ? 'json_object' : 'json_build_object'
      }('rating', feedback_rating, 'comment', feedback_comment, 'at', feedback_at)${
        engine === 'sqlite' ? '' : '::text'
      } WHERE feedback_rating IS NOT NULL AND feedback_end_user_id = end_user_id`,
    ],
  },
  {
    number: 53,
    name: 'revisions that reach no further than their writers',
    up: ({ json }) => [
      `ALTER TABLE agents ADD COLUMN reach ${json}`,
      `ALTER TABLE agent_revisions ADD COLUMN reach ${json}`,
    ],
  },
  {
    number: 54,
    name: 'jobs that ended their servers',
    up: ({ id, integer }) => [
      `ALTER TABLE jobs ADD COLUMN kills ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE jobs ADD COLUMN deaths ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE jobs ADD COLUMN alone ${id}`,
      "CREATE INDEX jobs_alone ON jobs (run_at, id) WHERE state = 'alone'",
      "CREATE INDEX jobs_running_alone ON jobs (alone) WHERE state = 'running' AND alone IS NOT NULL",
      `CREATE TABLE job_verdicts (
        job_id ${id} NOT NULL,
        lease_token ${id} NOT NULL,
        cause ${id} NOT NULL,
        created_at ${integer} NOT NULL,
        PRIMARY KEY (job_id, lease_token)
      )`,
    ],
  },
  {
    number: 55,
    name: 'the words of frames, and the pages around them',
    up: ({ json }) => [`ALTER TABLE agents ADD COLUMN frame ${json} NOT NULL DEFAULT '{}'`],
  },
  {
    number: 56,
    name: 'what was not read of a document',
    up: ({ json }) => [
      `ALTER TABLE documents ADD COLUMN warnings ${json} NOT NULL DEFAULT '[]'`,
      `ALTER TABLE document_versions ADD COLUMN warnings ${json} NOT NULL DEFAULT '[]'`,
    ],
  },
  {
    number: 57,
    name: 'what was learned of models',
    up: ({ id, text, integer }) => [
      `CREATE TABLE learned_fields (
        provider ${id} NOT NULL,
        model ${id} NOT NULL,
        field ${id} NOT NULL,
        workspace_id ${id} REFERENCES workspaces (id) ON DELETE CASCADE,
        instead ${text} NOT NULL,
        because ${text} NOT NULL,
        learned_at ${integer} NOT NULL,
        PRIMARY KEY (provider, model, field)
      )`,
      'CREATE INDEX learned_fields_of_workspace ON learned_fields (workspace_id)',
    ],
  },
  {
    number: 58,
    name: 'the tables of documents',
    up: ({ id, integer, text }) => [
      `CREATE TABLE document_tables (
        document_id ${id} NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        document_version ${integer} NOT NULL,
        start_offset ${integer} NOT NULL,
        rows_offset ${integer} NOT NULL,
        end_offset ${integer} NOT NULL,
        page ${integer},
        headings ${text} NOT NULL,
        titles ${text} NOT NULL,
        columns ${text} NOT NULL,
        column_count ${integer} NOT NULL,
        row_count ${integer} NOT NULL,
        PRIMARY KEY (document_id, document_version, start_offset)
      )`,
    ],
  },
]

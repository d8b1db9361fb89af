/** What is used, day by day: by keys and persons, agents and collections; the months that budgets hold in are with them. */
import type { Migration } from '../ddl.ts'

export const usageMigration: Migration = {
  number: 26,
  name: 'usage',
  up: ({ engine, id, text, integer, real }) => {
    const dayOf = (time: string): string =>
      engine === 'sqlite'
        ? `strftime('%Y-%m-%d', ${time} / 1000, 'unixepoch')`
        : `to_char(to_timestamp(${time} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
    const ofCaller = (name: string): string =>
      engine === 'sqlite' ? `json_extract(caller, '$.${name}')` : `caller::json ->> '${name}'`
    const fromRuns = (kind: string, subject: string): string => `INSERT INTO usage_periods
      SELECT workspace_id, environment, '${kind}', ${dayOf('finished_at')}, ${subject}, NULL, 0, count(*),
        sum(CASE WHEN cost_usd IS NULL THEN 1 ELSE 0 END), sum(input_tokens), sum(output_tokens),
        coalesce(sum(cost_usd), 0), NULL, NULL
      FROM runs WHERE finished_at IS NOT NULL
      GROUP BY workspace_id, environment, ${dayOf('finished_at')}, ${subject}`
    return [
      `CREATE TABLE usage_periods (
        workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        environment ${id} NOT NULL,
        kind ${id} NOT NULL,
        period ${id} NOT NULL,
        subject_id ${id} NOT NULL,
        name ${text},
        requests ${integer} NOT NULL,
        runs ${integer} NOT NULL,
        unpriced_runs ${integer} NOT NULL,
        input_tokens ${integer} NOT NULL,
        output_tokens ${integer} NOT NULL,
        cost_usd ${real} NOT NULL,
        documents ${integer},
        stored_bytes ${integer},
        PRIMARY KEY (workspace_id, environment, kind, period, subject_id)
      )`,
      'CREATE INDEX usage_periods_by_age ON usage_periods (period)',
      `INSERT INTO usage_periods
        SELECT workspace_id, environment, 'agent_month', month, agent_id, NULL, 0, runs, unpriced_runs,
          input_tokens, output_tokens, cost_usd, NULL, NULL
        FROM usage_months`,
      'DROP TABLE usage_months',
      fromRuns('agent', 'agent_id'),
      fromRuns('actor', `coalesce(${ofCaller('keyId')}, 'system')`),
    ]
  },
}

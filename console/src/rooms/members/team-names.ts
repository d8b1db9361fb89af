/** The workspace's teams, for their names and to choose from. */
import { useApiQuery } from '../../api/queries.ts'

/** As many as one page has. */
const mostTeams = 100

export const useTeams = () =>
  useApiQuery(['teams', 'names'], (atrium, options) =>
    atrium.workspace.teams.list({ pageSize: mostTeams }, options).page(),
  )

/** The names of these teams; one that is not among the first hundred is told by its id. */
export function useTeamNames(): (teamIds: readonly string[]) => string[] {
  const { data } = useTeams()
  const names = new Map(data?.items.map(({ id, name }) => [id, name]))
  return teamIds => teamIds.map(id => names.get(id) ?? id)
}

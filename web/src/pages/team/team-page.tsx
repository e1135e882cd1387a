// The team, with the days off that wait for an answer.
import { OpenRequests } from '#/features/leave-requests/open-requests.tsx'
import TeamPage, { handle as teamHandle } from '#/features/team/team-page.tsx'

export { links } from '#/features/team/team-page.tsx'

export const handle = { namespaces: [...teamHandle.namespaces, 'leave-requests'] }

export default function WholeTeamPage() {
  return <TeamPage requests={<OpenRequests />} />
}

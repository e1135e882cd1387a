// One of the team, with the days off they wait for.
import { OpenRequests } from '#/features/leave-requests/open-requests.tsx'
import TeamMemberPage, { handle as memberHandle } from '#/features/team/team-member-page.tsx'

export { links } from '#/features/team/team-member-page.tsx'

export const handle = { namespaces: [...memberHandle.namespaces, 'leave-requests'] }

export default function WholeMemberPage() {
  return <TeamMemberPage requestsOf={(staffId) => <OpenRequests staffId={staffId} />} />
}

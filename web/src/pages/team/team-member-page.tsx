// One of the team, with the days off they wait for.
import { OpenRequests } from '#/features/leave-requests/open-requests.tsx'
import { TeamMemberContent, handle as memberHandle } from '#/features/team/team-member.tsx'

export { links } from '#/features/team/team-member.tsx'

export const handle = { namespaces: [...memberHandle.namespaces, 'leave-requests'] }

export default function TeamMemberPage() {
  return <TeamMemberContent requestsOf={(staffId) => <OpenRequests staffId={staffId} />} />
}

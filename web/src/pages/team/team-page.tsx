// The team, with the days off that wait for an answer.
import { OpenRequests } from '#/features/leave-requests/open-requests.tsx'
import { TeamContent, handle as teamHandle } from '#/features/team/team.tsx'

export { links } from '#/features/team/team.tsx'

export const handle = { namespaces: [...teamHandle.namespaces, 'leave-requests'] }

export default function TeamPage() {
  return <TeamContent requests={<OpenRequests />} />
}

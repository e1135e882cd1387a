// `/institute-register`: the setup, with the institute's own page as its clients will see it.
import { setupLinks, SetupWizard } from '#/features/setup/setup-wizard.tsx'
import { useUser } from '#/platform/session.tsx'
import { SalonPreview } from './salon-preview.tsx'

export const links = setupLinks

export const handle = { namespaces: ['setup', 'dashboard', 'labels', 'institute', 'prices', 'classes', 'map', 'reviews'] }

export default function SetupPage() {
  const user = useUser()
  return user && <SetupWizard key={user.id} user={user} preview={(draft, now) => <SalonPreview draft={draft} now={now} />} />
}

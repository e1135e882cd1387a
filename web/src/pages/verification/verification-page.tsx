// `/verification`: what is verified about an account, and for professionals the check of their business.
import { BusinessCheck } from '#/features/business-check/business-check.tsx'
import { AccountTrust } from '#/features/verification/account-trust.tsx'

export const handle = { namespaces: ['verification', 'business-check'] }

export default function VerificationPage() {
  return <AccountTrust business={<BusinessCheck />} />
}

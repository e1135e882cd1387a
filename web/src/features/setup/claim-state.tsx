// What became of a claim: an operator looks at it, or has refused it.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useFailureWords } from './draft/failure-words.ts'
import type { DraftChange } from './draft/use-draft.ts'

type Claim = NonNullable<Answer<Calls['setupState']>['claim']>

export function ClaimState({ claim, change }: { claim: Claim; change: DraftChange }) {
  const { t } = useTranslation('setup')
  const queries = useQueryClient()
  const wordsOf = useFailureWords()
  const { mutate, isPending } = useMutation({
    mutationFn: () => dashboardApi.withdrawClaim({}),
    onSuccess() {
      change({ claims: null })
      return queries.invalidateQueries({ queryKey: dashboardKeys.setupState })
    },
    onError: (error) => showToast({ type: 'error', title: wordsOf(error) }),
  })
  const isWaiting = claim.state === 'waiting'
  return (
    <Notice
      icon={isWaiting ? 'clock' : 'info'}
      title={t(isWaiting ? 'claim.waiting' : 'claim.refused', { name: claim.instituteName })}
      action={
        <Button variant="outline" size="small" loading={isPending} onClick={() => mutate()}>
          {t(isWaiting ? 'claim.withdraw' : 'claim.goOn')}
        </Button>
      }
    >
      {t(isWaiting ? 'claim.waitingText' : 'claim.refusedText')}
    </Notice>
  )
}

// What a chosen service needs first, by name: from when on it can begin, or the way to book the test.
import type { Institute } from '@soigne/contract/institutes'
import { useWhenInside } from '#/features/booking/terms-line.tsx'
import type { Choice } from '#/features/cart/choice.ts'
import { testFirst } from '#/features/cart/needs.ts'
import { bookingPath } from '#/paths.ts'
import { useTranslation } from '#/platform/translation.ts'
import { isBookable } from '#/prices.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import type { OpenNeed } from './use-needs.ts'

export type TestFirstProps = { institute: Institute; choice: Choice; needs: readonly OpenNeed[] }

function OneNeed({ institute, choice, need }: Omit<TestFirstProps, 'needs'> & { need: OpenNeed }) {
  const { t } = useTranslation('booking')
  const when = useWhenInside()
  const { service, test, minHours, from } = need
  const names = { service: service.name, test: test.name }
  if (from !== null) {
    return (
      <Notice tone="kind" title={t('needs.from', { ...names, when: when(from, institute.timeZone) })}>
        {t('needs.booked', names)}
      </Notice>
    )
  }
  const canBook = isBookable(institute, test)
  const link = canBook && (
    <ButtonLink to={bookingPath(institute.slug, testFirst(choice, test))} variant="outline" size="small">
      {t('needs.book', names)}
    </ButtonLink>
  )
  return (
    <Notice
      tone="warning"
      title={minHours === 0 ? t('needs.before', names) : t('needs.hours', { ...names, count: minHours })}
      action={link}
    >
      {t(canBook ? 'needs.hint' : 'needs.ask', names)}
    </Notice>
  )
}

export function TestFirst({ needs, ...props }: TestFirstProps) {
  return needs.map((need) => <OneNeed key={`${need.service._id} ${need.test._id}`} {...props} need={need} />)
}

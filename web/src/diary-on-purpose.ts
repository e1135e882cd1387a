// What the desk does to a test that other visits need: they are named first, and it is done on purpose alone.
import type { NeededBy } from '@soigne/contract/needed'
import { ApiError } from '#/platform/api-error.ts'
import { dayOf, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { askConfirm } from '#/ui/confirms.ts'

type Needed = { visits: NeededBy; timeZone: string }

/** What a refusal says would be left without the visit; null where it says something else. */
function neededOf(error: unknown): Needed | null {
  return error instanceof ApiError && error.code === 'needed_by' ? (error.body.details as unknown as Needed) : null
}

/** Sends a change, and once more where the person goes on knowing what needs the visit; whoever does not leaves it refused. */
export function useOnPurpose() {
  const { t } = useTranslation('diary')
  const times = useTimes()
  function lines({ visits, timeZone }: Needed): string {
    const sentences = visits.map(({ serviceName, startsAt }) =>
      t('needed.visit', {
        service: serviceName,
        day: times.day(dayOf(startsAt, timeZone), timeZone, 'within'),
        time: timeText(startsAt, timeZone),
      }),
    )
    return [...sentences, t('needed.stays')].join(' ')
  }
  return async <Answer>(send: (anyway: { anyway?: true }) => Promise<Answer>): Promise<Answer> => {
    try {
      return await send({})
    } catch (error) {
      const needed = neededOf(error)
      if (!needed || !(await askConfirm({ title: t('needed.title'), message: lines(needed) }))) throw error
      return send({ anyway: true })
    }
  }
}

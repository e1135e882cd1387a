// What was asked for and cannot be had any more is said, never passed over.
import { useTranslation } from '#/platform/translation.ts'
import { Notice } from '#/ui/notice.tsx'
import type { Choice } from './choice.ts'

export function GoneNotice({ choice: { gone, items, replaced, isTimeOver } }: { choice: Choice }) {
  const { t } = useTranslation('cart')
  return (
    <>
      {replaced.map(({ former, now }) => (
        <Notice key={former} title={t('replaced', { former, now })} />
      ))}
      {gone.services > 0 && (
        <Notice tone="warning" title={t('gone.services', { count: gone.services })}>
          {t(items.length > 0 ? 'gone.rest' : 'gone.choose')}
        </Notice>
      )}
      {gone.person && (
        <Notice tone="warning" title={t('gone.person')}>
          {t('gone.another')}
        </Notice>
      )}
      {isTimeOver && (
        <Notice tone="warning" title={t('gone.time')}>
          {t('gone.rest')}
        </Notice>
      )}
    </>
  )
}

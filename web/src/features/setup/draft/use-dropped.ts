// What was taken off a list by one tap comes back by another, for a moment.
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'

const takeBackMs = 10_000

/** Says that something is gone, with the way back. */
export function useDropped(): (name: string, takeBack: () => void) => void {
  const { t } = useTranslation('setup')
  return (name, takeBack) =>
    showToast({
      type: 'info',
      title: t('services.dropped', { name: name || t('services.unnamed') }),
      durationMs: takeBackMs,
      action: { label: t('services.takeBack'), onAction: takeBack },
    })
}

/** The list with it again where it stood, as far as there is room; once. */
export function backAt<Item extends { key: string }>(list: readonly Item[], item: Item, at: number): Item[] {
  return list.some(({ key }) => key === item.key) ? [...list] : list.toSpliced(Math.min(at, list.length), 0, item)
}

// The texts of a feature: `const { t } = useTranslation('booking')`. Pages ask for the same hundreds of texts again and again,
// so what was said is remembered. What a document did not carry is fetched, and the part that asked waits for it.
import { use, useContext } from 'react'
import { I18nContext, type useTranslation as useReactTranslation } from 'react-i18next'
import { rememberedTranslation } from './remembered-texts.ts'

function useRememberedTranslation(namespaces?: string | readonly string[]) {
  const context = useContext(I18nContext)
  if (!context) throw new Error('texts are asked for outside of a translator')
  const { i18n } = context
  if (!import.meta.env.SSR && 'coming' in i18n) {
    // Asked again when it has come, too: React wants the same questions when it goes on with a part that waited.
    const { coming } = i18n as unknown as { coming(namespace: string): Promise<unknown> | null }
    for (const namespace of namespaces === undefined ? [] : [namespaces].flat()) {
      const promise = coming(namespace)
      if (promise) use(promise)
    }
  }
  return rememberedTranslation(i18n, namespaces)
}

export const useTranslation = useRememberedTranslation as unknown as typeof useReactTranslation

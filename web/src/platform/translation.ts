// The texts of a feature: `const { t } = useTranslation('booking')`. In the browser it is the hook of react-i18next; rendered
// pages ask for the same hundreds of texts again and again, so there what was said is remembered.
import { useContext } from 'react'
import { I18nContext, useTranslation as useReactTranslation } from 'react-i18next'
import { rememberedTranslation } from './remembered-texts.ts'

function useRememberedTranslation(namespaces?: string | readonly string[]) {
  const context = useContext(I18nContext)
  if (!context) throw new Error('texts are asked for outside of a translator')
  return rememberedTranslation(context.i18n, namespaces)
}

export const useTranslation = (import.meta.env.SSR ? useRememberedTranslation : useReactTranslation) as typeof useReactTranslation

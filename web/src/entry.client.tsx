import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { HydratedRouter } from 'react-router/dom'
import { browserTranslator } from '#/platform/browser-translator.ts'
import { stopRemembering } from '#/platform/early-hands.ts'
import { formattedElementId, readFormatted } from '#/platform/formatted.ts'
import { settleLocale } from '#/platform/locale.ts'

settleLocale(new URL(location.href))
readFormatted(document.getElementById(formattedElementId)?.textContent)
const translator = browserTranslator(document.documentElement.lang)

stopRemembering()
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <I18nextProvider i18n={translator}>
        <HydratedRouter />
      </I18nextProvider>
    </StrictMode>,
  )
})

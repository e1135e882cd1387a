// Where the texts of My Salon, of setting an institute up and of one's own settings are.
import type { CatalogueFile } from './catalogues.ts'

export const signedInCatalogues = import.meta.glob<CatalogueFile>(
  './*/{calendars,customers,dashboard,day-sheet,diary,institute-settings,rearranging,diary-sessions,leave-requests,sales,services,settings,setup,team,till}.json',
  { base: '/src/locales' },
)

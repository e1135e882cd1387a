/** What the build does for the dashboard: its styles in a sheet of their own, and of the kit's languages only ours. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { preprocessCSS, type Plugin, type ResolvedConfig } from 'vite'

/** Features behind sign-in that may use the kit; their styles and the kit's are in the dashboard's sheet. */
export const dashboardFeatures: readonly string[] = [
  'dashboard',
  'settings',
  'setup',
  'diary',
  'diary-booking',
  'diary-visit',
  'diary-sessions',
  'day-sheet',
  'time-grid',
  'sales',
  'customers',
  'services',
  'team',
  'institute-settings',
  'rearranging',
  'sale',
  'till',
  'leave-requests',
  'payouts',
]

const root = import.meta.dirname.replaceAll('\\', '/')
const rooms = ['src/kit', ...dashboardFeatures.map((name) => `src/features/${name}`)]
const sheet = `${root}/src/kit/dashboard.css`

const withoutQuery = (id: string): string => id.split('?')[0] ?? id
const isOfDashboard = (file: string): boolean => file.endsWith('.module.css') && rooms.some((room) => file.startsWith(`${root}/${room}/`))

function sheetsOfDashboard(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `${root}/src/${path.replaceAll('\\', '/')}`)
    .filter(isOfDashboard)
    .sort((a, b) => rooms.findIndex((room) => a.includes(room)) - rooms.findIndex((room) => b.includes(room)) || (a < b ? -1 : 1))
}

/** What ui and the kit say gives way to what a page says, in whatever order the bundler writes the sheets. */
export const layered = (code: string, id: string): string =>
  /\/src\/(?:ui|kit)\/[^/?]+\.module\.css(?:$|\?)/.test(id) ? `@layer theme, ui;\n@layer ui {\n${code}\n}` : code

/**
 * `cssCodeSplit: false` would put these styles into the one sheet of the public pages. Their modules still give their
 * class names; what they say goes into `src/kit/dashboard.css`, which pages of the dashboard link.
 */
export function dashboardSheet(): Plugin[] {
  let config: ResolvedConfig
  return [
    {
      name: 'dashboard-sheet',
      apply: 'build',
      enforce: 'pre',
      configResolved(resolved) {
        config = resolved
      },
      async transform(_code, id) {
        // Asked for by `?url`, the sheet itself comes by under this query; the module that names it does not.
        if (withoutQuery(id) !== sheet || !/[?&]transform-only/.test(id)) return
        const parts = sheetsOfDashboard().map(async (file) => {
          this.addWatchFile(file)
          const { code } = await preprocessCSS(layered(readFileSync(file, 'utf8'), file), file, config)
          if (/url\(/.test(code)) throw new Error(`${relative(root, file)}: the dashboard's sheet carries no files`)
          return code
        })
        return (await Promise.all(parts)).join('\n')
      },
    },
    {
      // After the class names are made and before the styles are gathered.
      name: 'dashboard-sheet-apart',
      apply: 'build',
      transform: (_code, id) => (isOfDashboard(id) ? '' : undefined),
    },
  ]
}

/** The kit has words for 34 languages, in a file each; the pages have three. */
const foreignWords = /\/(?:react-aria|react-stately|react-aria-components)\/.*\/(?!en-US|fr-FR|ar-AE)[a-z]{2}-[A-Z]{2}\.m?js$/

export const ownLanguages: Plugin = {
  name: 'own-languages',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (foreignWords.test(withoutQuery(id)) ? 'export default {}' : undefined),
}

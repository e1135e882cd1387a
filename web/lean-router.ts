/** What React Router brings for sites of other kinds is left out of the scripts of ours, which pay for it on every first visit. */
import type { Plugin } from 'vite'

/**
 * By file of the router: what stands in its place in browsers. Routes that are found one by one are none of ours
 * (`routeDiscovery` in `react-router.config.ts` is `initial`), and nobody listens to what the router does.
 */
export const leanFiles: Readonly<Record<string, string>> = {
  'dom/ssr/fog-of-war.js': `
export const isFogOfWarEnabled = () => false
export const getPartialManifest = (manifest) => manifest
export const getPatchRoutesOnNavigationFunction = () => undefined
export const useFogOFWarDiscovery = () => {}
export const handleClientVersionMismatch = async () => false
export const getManifestPath = (path) => path ?? '/__manifest'
export const getPathsWithAncestors = (paths) => paths
export const URL_LIMIT = 7680
`,
  'router/instrumentation.js': `
export const consumeInstrumentationClientResultMetaReceiver = () => undefined
export const getRouteInstrumentationUpdates = () => ({})
export const instrumentClientSideRouter = (router) => router
export const instrumentHandler = (handler) => handler
export const instrumentationResultMetaContext = undefined
`,
}

const ofRouter = /\/react-router\/dist\/production\/lib\/(.+\.js)$/

export const leanRouter: Plugin = {
  name: 'lean-router',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  load(id) {
    const [, file = ''] = ofRouter.exec(id.replaceAll('\\', '/')) ?? []
    return leanFiles[file]
  },
}

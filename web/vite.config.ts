import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  build: {
    target: 'es2022',
    // The policy of the pages names every inline script by its hash; fonts and pictures stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
})

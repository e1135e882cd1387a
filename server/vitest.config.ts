import { defineConfig } from 'vitest/config'
import { limits } from '../vitest.limits.ts'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    setupFiles: ['src/testing/unhurried.ts'],
    ...limits,
    maxWorkers: 2,
    // The files share what they import; each has databases of its own. It takes two thirds of the time.
    isolate: false,
  },
})

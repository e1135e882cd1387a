import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withoutPlace } from './invariants.ts'
import { root } from './stage.ts'

it('what a server wrote is reported without the place of the project on this machine', () => {
  expect(withoutPlace(`at ${root}/node_modules/pg/lib/client.js:694 (file://${root}/server/src/main.ts)`)).toBe(
    'at node_modules/pg/lib/client.js:694 (file://server/src/main.ts)',
  )
})

it('the published reports name no folder of a machine', () => {
  for (const [folder, name] of ['trust/results', 'bench/results'].flatMap((one) =>
    readdirSync(join(root, one)).map((file) => [one, file] as const),
  ))
    expect([name, /(?:\/work\/|\/home\/|\/root\/|\/tmp\/)/.exec(readFileSync(join(root, folder, name), 'utf8'))]).toEqual([name, null])
})

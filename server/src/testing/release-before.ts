/** The release before, from the history of this clone, as programs that can be run beside this one. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
const allRooms = ['contract', 'scheduling', 'demo', 'server', 'web']

export interface ReleaseBefore {
  directory: string
  /** Runs one of its programs to the end. */
  run(program: string, args: string[], env: Record<string, string>): Promise<void>
  remove(): void
}

/** Null where the clone does not reach back so far. */
export function unpackRelease(commit: string): ReleaseBefore | null {
  const known = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' })
  if (known.status !== 0) return null
  const directory = mkdtempSync(join(tmpdir(), 'soigne-release-'))
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1_000_000_000 })
  execFileSync('tar', ['-x', '-C', directory], { input: archive })
  linkModules(directory)
  standInForMissing(directory)
  return {
    directory,
    run: (program, args, env) =>
      new Promise((done, fail) => {
        const child = spawn(process.execPath, [join(directory, program), ...args], {
          stdio: ['ignore', 'ignore', 'pipe'],
          env: { PATH: process.env['PATH'], ...env },
        })
        let said = ''
        child.stderr.on('data', (chunk: Buffer) => void (said = (said + chunk.toString()).slice(-4000)))
        child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`${program} ended with ${code}: ${said}`))))
      }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** The packages of today, but the rooms of that release. */
function linkModules(directory: string): void {
  const link = (from: string, to: string): void => {
    mkdirSync(to, { recursive: true })
    for (const entry of readdirSync(from)) if (entry !== '@soigne' && entry !== '.cache') symlinkSync(join(from, entry), join(to, entry))
  }
  link(join(root, 'node_modules'), join(directory, 'node_modules'))
  const rooms = allRooms.filter((room) => existsSync(join(directory, room)))
  for (const room of rooms) {
    const own = join(root, room, 'node_modules')
    if (existsSync(own)) link(own, join(directory, room, 'node_modules'))
  }
  mkdirSync(join(directory, 'node_modules/@soigne'))
  for (const room of rooms) symlinkSync(join(directory, room), join(directory, 'node_modules/@soigne', room))
}

/** Packages that this release has given up: names that stand for nothing, so that modules load; whoever calls them fails. */
function standInForMissing(directory: string): void {
  const names = new Map<string, Set<string>>()
  for (const room of allRooms.filter((one) => one !== 'web' && existsSync(join(directory, one))))
    for (const file of readdirSync(join(directory, room, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
      const text = readFileSync(join(directory, room, 'src', file), 'utf8')
      for (const [, list = '', name = ''] of text.matchAll(/^import \{([^}]*)\} from '((?:@[\w-]+\/)?[\w-]+)'/gm)) {
        if (name.startsWith('node:') || existsSync(join(directory, 'node_modules', name))) continue
        const known = names.get(name) ?? new Set()
        names.set(name, known)
        for (const one of list.split(',').map((part) => part.trim().split(' as ')[0] ?? ''))
          if (one && !one.startsWith('type ')) known.add(one)
      }
    }
  for (const [name, exported] of names) {
    const home = join(directory, 'node_modules', name)
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }))
    writeFileSync(join(home, 'index.js'), [...exported].map((one) => `export class ${one} {}\n`).join(''))
  }
}

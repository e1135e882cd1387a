/** The browser that journeys and benches drive: CHROME, the machine's Chromium, or the one from npm, which brings the libraries that a bare machine lacks. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]

export interface Browser {
  executablePath: string
  /** All of its environment; as this process has it when left out. */
  env?: Record<string, string>
}

/** The list of fonts that the browser from npm brings names /tmp/fonts alone, while it unpacks them where this run keeps its temporary files. */
function writeFontList(): string {
  const folder = join(tmpdir(), 'soigne-font-list')
  mkdirSync(folder, { recursive: true })
  const fonts = join(tmpdir(), 'fonts')
  writeFileSync(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`,
  )
  return folder
}

export async function findBrowser(): Promise<Browser> {
  const found = [process.env['CHROME'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path && existsSync(path),
  )
  if (found) return { executablePath: found }
  const { default: bundled, inflate } = await import('@sparticuz/chromium')
  const archive = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin/al2023.tar.br')
  const [executablePath, libraries] = await Promise.all([bundled.executablePath(), inflate(archive)])
  const known = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const path = [join(libraries, 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':')
  return { executablePath, env: { ...Object.fromEntries(known), LD_LIBRARY_PATH: path, FONTCONFIG_PATH: writeFontList() } }
}

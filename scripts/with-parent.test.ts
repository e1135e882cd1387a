import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('a program under a shell ends when only the shell is told to', async () => {
  const program = `import { whenParentEnds } from '${join(import.meta.dirname, 'with-parent.ts')}'
    whenParentEnds(() => process.stdout.write('ends', () => process.exit(0)))
    process.stdout.write('runs')
    setInterval(() => {}, 1000)`
  // As npm runs a command; the second one keeps the shell from becoming the program.
  const shell = spawn('sh', ['-c', '"$0" --input-type=module -e "$1"; true', process.execPath, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  const ended = new Promise<void>((done) => shell.stdout.once('close', () => done()))
  shell.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    if (said === 'runs') shell.kill('SIGTERM')
  })
  await ended
  expect(said).toBe('runsends')
})

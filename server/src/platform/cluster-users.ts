/** Who uses a cluster: each has a socket in its folder that the system closes with the process, however it ends. So nobody is forgotten for having no connection at the moment. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

export interface ClusterUser {
  /** Makes sure that others see us, also after the folder was taken away and made again. */
  stay(): Promise<void>
  /** Whether another one is there, in this process or another. */
  isAmongOthers(): Promise<boolean>
  leave(): Promise<void>
}

const prefix = 'user-'

/** Whether somebody holds the socket; where nobody does, connecting is refused at once. */
const isHeld = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    const settle = (held: boolean): void => {
      socket.destroy()
      resolve(held)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'))
  })

/** Becomes a user of the cluster whose sockets are in `folder`. Windows has no such sockets in folders: there connections alone count. */
export function joinUsers(folder: string): ClusterUser {
  const name = `${prefix}${process.pid}-${randomBytes(3).toString('hex')}`
  const path = join(folder, name)
  let server: Server | null = null
  const close = async (): Promise<void> => {
    const closing = server
    server = null
    if (closing) await new Promise<void>((done) => closing.close(() => done()))
  }
  return {
    async stay() {
      if (process.platform === 'win32' || (server !== null && existsSync(path))) return
      await close()
      const opened = createServer((socket) => socket.destroy())
      await new Promise<void>((done, fail) => opened.once('error', fail).listen(path, done))
      opened.unref()
      server = opened
    },
    async isAmongOthers() {
      if (!existsSync(folder)) return false
      const others = readdirSync(folder).filter((one) => one.startsWith(prefix) && one !== name)
      let isOne = false
      for (const other of others)
        if (await isHeld(join(folder, other))) isOne = true
        else rmSync(join(folder, other), { force: true })
      return isOne
    },
    leave: close,
  }
}

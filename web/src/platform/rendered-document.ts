// Renders a page to one text: nothing is sent before the policy of its inline scripts is known.
import { renderToPipeableStream } from 'react-dom/server'

const renderLimitMs = 10_000

/** A byte order mark is a letter like others: it is somewhere in a page, never at its start. */
const letters = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of a document with everything in it that a page waits for. `fail` is told of what broke inside a part of it. */
export function renderedDocument(page: React.ReactNode, fail: (error: unknown) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    // Where React writes: texts, and bytes of whole letters. Nobody waits for them one by one, so no stream is needed.
    const sheet = {
      write(part: string | Uint8Array) {
        text += typeof part === 'string' ? part : letters.decode(part)
        return true
      },
      end() {
        clearTimeout(timer)
        resolve(text)
      },
      on: () => sheet,
      destroy: reject,
    }
    const { pipe, abort } = renderToPipeableStream(page, {
      // Long pages would else come hidden behind their skeleton, to be put in place by a script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => void pipe(sheet as unknown as NodeJS.WritableStream),
      onShellError: reject,
      onError: fail,
    })
    const timer = setTimeout(() => abort(), renderLimitMs)
  })
}

/** The answer that holds a document. The server reads its text as it is; a body would be turned into bytes and a stream and back. */
export class DocumentResponse extends Response {
  readonly #html: string

  constructor(html: string, init: ResponseInit) {
    super(null, init)
    this.#html = html
  }

  override async text(): Promise<string> {
    return this.#html
  }
}

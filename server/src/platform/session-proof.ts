/** A session that is remembered from an earlier request: nothing is written or answered for it before the database was seen to know it still. */
export class SessionProof {
  readonly sessionId: string
  readonly #read: () => Promise<void>
  #isGiven = false
  #asked: Promise<void> | null = null

  /** @param read asks the database, and throws where the session is open no more */
  constructor(sessionId: string, read: () => Promise<void>) {
    this.sessionId = sessionId
    this.#read = read
  }

  get isGiven(): boolean {
    return this.#isGiven
  }

  /** The statement that did the work has found the session open. */
  give(): void {
    this.#isGiven = true
  }

  /** Asks by itself where no statement has. @throws unauthorized, email_unverified */
  async ask(): Promise<void> {
    if (this.#isGiven) return
    await (this.#asked ??= this.#read())
    this.#isGiven = true
  }
}

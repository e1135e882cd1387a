// What a hand does before the scripts have taken a page over: a button that was pressed is pressed again, and a choice that was made is made again,
// since what is shown as chosen would else be known to nobody, and could not be chosen any more.

type Early = { button?: HTMLElement | undefined; choices: Set<HTMLInputElement | HTMLSelectElement>; stop: () => void }
type Remembering = { early?: Early | undefined }

/** Runs in the head, before anything can be touched: remembers the last button and all choices. */
export const earlyHandsScript = `(() => {
  const early = window.early = { choices: new Set() };
  const remember = ({ type, target }) => {
    if (type === 'click') early.button = target.closest?.('button[type=button]') ?? early.button;
    else if (target.matches?.('[type=radio],[type=checkbox],select')) early.choices.add(target);
  };
  for (const type of ['click', 'change']) addEventListener(type, remember, true);
  early.stop = () => { for (const type of ['click', 'change']) removeEventListener(type, remember, true); };
})()`

const earlyOf = (): Early | undefined => (window as Remembering).early

/** From here on what is done is heard; called before the page is taken over. */
export const stopRemembering = (): void => earlyOf()?.stop()

/** Makes a choice as a hand makes it; null where it is what the document came with. Said before the first is made: the page then shows all as it knows them. */
function choiceOf(field: HTMLInputElement | HTMLSelectElement): (() => void) | null {
  if (field instanceof HTMLSelectElement) {
    const { value } = field
    return () => {
      field.value = value
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
  const { checked } = field
  // Of a group of radio buttons the last one counts.
  if (field.type === 'radio' ? !checked : checked === field.defaultChecked) return null
  return () => {
    // What is as it was before is not heard as a change.
    field.checked = !checked
    field.click()
  }
}

const turn = (): Promise<void> => new Promise((done) => setTimeout(done))

/** Does again what was done before, one thing after the other; called once when the page has been taken over. */
export async function repeatEarlyHands(): Promise<void> {
  const early = earlyOf()
  if (!early) return
  early.stop()
  delete (window as Remembering).early
  const fields = [...early.choices].filter(({ isConnected }) => isConnected)
  const choices = fields.map(choiceOf)
  // A part of the page that React has not come to yet is taken over for a hand; a choice itself would be there before, and so be no change.
  for (const field of fields) field.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  const press = (): void => {
    if (early.button?.isConnected) early.button.click()
  }
  for (const again of [...choices, press]) {
    // The router listens once all effects have run, and what a choice changes is there a turn later.
    await turn()
    again?.()
  }
}

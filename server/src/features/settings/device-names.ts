/** What people call the device a session is on, as far as its browser says. */

interface NamedDevice {
  browser: string | null
  system: string | null
  isPhone: boolean
}

/** Most browsers say that they are another one too: the first that fits is the true one. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

/** An iPhone names macOS, Android names Linux. */
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstThatFits = (names: readonly [RegExp, string][], userAgent: string): string | null =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null

export function deviceOf(userAgent: string | null): NamedDevice {
  const said = userAgent ?? ''
  return { browser: firstThatFits(browsers, said), system: firstThatFits(systems, said), isPhone: /\biPhone\b|\bMobile\b/.test(said) }
}

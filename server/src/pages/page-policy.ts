/** The content policy of a page: its own files and what its map needs, nothing else. */
import { hash } from 'node:crypto'
import type { Settings } from '#/platform/settings.ts'

/** Directives by name; what is not named falls to `default-src`, which allows nothing. */
type Policy = Record<string, string[]>

/**
 * Hosts that Google documents for its map. Scripts come from two of them only: the documented wildcards would also allow
 * scripts anybody can put there. A picture map needs no 'unsafe-eval'.
 * @see https://developers.google.com/maps/documentation/javascript/content-security-policy
 */
const googleHosts = ['https://*.googleapis.com', 'https://*.gstatic.com', 'https://*.google.com']
const googlePolicy: Policy = {
  'script-src': ['https://maps.googleapis.com', 'https://maps.gstatic.com', 'blob:'],
  'style-src': ['https://fonts.googleapis.com'],
  'style-src-elem': ['https://fonts.googleapis.com'],
  'img-src': [...googleHosts, 'https://*.googleusercontent.com'],
  'font-src': ['https://fonts.gstatic.com'],
  'connect-src': [...googleHosts, 'data:', 'blob:'],
  'frame-src': ['https://*.google.com'],
}

/** Inline scripts are allowed by the hash of exactly what was rendered; data in script elements never runs. */
function inlineScriptHashes(html: string): string[] {
  const hashes = new Set<string>()
  for (const match of html.matchAll(/<script(?![^>]*\ssrc=)(?![^>]*type="application\/(?:ld\+)?json")[^>]*>([\s\S]*?)<\/script>/g))
    hashes.add(`'sha256-${hash('sha256', match[1] ?? '', 'base64')}'`)
  return [...hashes]
}

/** The header's text for a rendered page. */
export function policyFor(html: string, { mapStyleUrl, googleMapsKey }: Pick<Settings, 'mapStyleUrl' | 'googleMapsKey'>): string {
  const mapOrigin = mapStyleUrl ? [new URL(mapStyleUrl).origin] : []
  const own: Policy = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inlineScriptHashes(html)],
    'style-src': ["'self'"],
    'style-src-attr': ["'unsafe-inline'"],
    'style-src-elem': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...mapOrigin],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...mapOrigin],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
  }
  const more = googleMapsKey ? googlePolicy : {}
  const names = new Set([...Object.keys(own), ...Object.keys(more)])
  return [...names].map((name) => [name, ...(own[name] ?? []), ...(more[name] ?? [])].join(' ')).join('; ')
}

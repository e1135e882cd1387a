export default function TermsPage() {
  return <h1 className="page section d2">TermsPage</h1>;
}

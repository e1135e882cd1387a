export default function BookingPage() {
  return <h1 className="page section d2">BookingPage</h1>;
}

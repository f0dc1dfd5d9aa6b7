# Errors for arguments that core methods refuse.
def error
  yield
rescue => e
  [e.class, e.message]
end

[:cold, :hot].each do |state|
  (state == :hot ? 300 : 1).times do |turn|
    results = [
      error { 1.5.rationalize(Float::NAN) },
      error { 1.5.rationalize(Float::INFINITY) },
      error { -1.5.rationalize(Float::INFINITY) },
      error { Float::MAX.rationalize(Float::MAX) },
      error { -Float::MAX.rationalize(Float::MAX / 2) },
      error { Float::NAN.rationalize(1) },
      error { 1.5.rationalize(0.1) },
      error { 1e-200.rationalize(1e-210) },
      error { Thread.current.fetch("absent") },
      error { Thread.current.fetch(:absent) },
      error { Dir[[]] },
      error { Dir[["*"]] },
      error { Dir["*", ["*"]] },
      error { Dir[] },
      error { Dir["no\0thing"] },
    ]
    p state, results if turn == 0
  end
end

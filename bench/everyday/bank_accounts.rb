# Accounts with classes, modules, delegation and custom errors.
require "forwardable"
class InsufficientFunds < StandardError; end
module Audited
  def audit(entry) = (@audit ||= []).push(entry)
  def entries = @audit.to_a.size
end
class Account
  include Audited
  include Comparable
  attr_reader :owner, :balance
  def initialize(owner, balance: 0) = (@owner, @balance = owner, balance)
  def deposit(amount)
    raise ArgumentError, "amount must be positive" unless amount.positive?
    audit("+#{amount}")
    @balance += amount
  end

  def withdraw(amount)
    raise InsufficientFunds, "#{owner} lacks #{amount - balance}" if amount > balance
    audit("-#{amount}")
    @balance -= amount
  end

  def <=>(other) = balance <=> other.balance
end
class Bank
  extend Forwardable
  def_delegators :@accounts, :size, :[], :each
  include Enumerable
  def initialize = @accounts = {}
  def open(owner, **options) = @accounts[owner] = Account.new(owner, **options)
  def transfer(from, to, amount) = (self[from].withdraw(amount); self[to].deposit(amount))
end
bank = Bank.new
200.times { |i| bank.open("owner#{i}", balance: i * 10) }
failed = 0
150_000.times do |i|
  bank.transfer("owner#{i % 200}", "owner#{(i * 7 + 1) % 200}", 1 + i % 90)
rescue InsufficientFunds, ArgumentError
  failed += 1
end
puts failed, bank.size, bank.map(&:last).max.owner, bank.sum { |_, account| account.balance }, bank["owner3"].entries

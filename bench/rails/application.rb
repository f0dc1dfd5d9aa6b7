# A Rails application of one file: posts with comments in sqlite3, pages and JSON. `requests.rb` measures it by itself;
# `config.ru` serves it. DATABASE names the file of the database (default: in memory).

ENV["RAILS_ENV"] = "production"

require "logger"
require "sqlite3"
require "rails"
require "active_record/railtie"
require "action_controller/railtie"
require "action_view/railtie"

class BlogApplication < Rails::Application
  config.load_defaults Rails::VERSION::STRING.to_f
  config.root = __dir__
  config.eager_load = true
  config.enable_reloading = false
  config.consider_all_requests_local = false
  config.logger = Logger.new(IO::NULL)
  config.log_level = :info
  config.secret_key_base = "x" * 64
  config.hosts.clear
  config.action_controller.allow_forgery_protection = false
  # Otherwise Rails turns CRuby's compiler on by itself.
  config.yjit = false
  config.paths.add "config/database", with: "#{__dir__}/database.yml"
  routes.append do
    resources(:posts) { resources :comments, only: :create }
    get "/up" => "rails/health#show"
  end
end
BlogApplication.initialize!

ActiveRecord::Base.logger = nil
database = ENV["DATABASE"] || ":memory:"
ActiveRecord::Base.establish_connection(adapter: "sqlite3", database:, pool: database == ":memory:" ? 1 : 8)
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table :posts, force: true do |t|
    t.string :title
    t.text :body
    t.integer :views, default: 0
    t.boolean :published, default: true
    t.decimal :price, precision: 8, scale: 2
    t.timestamps
  end
  create_table :comments, force: true do |t|
    t.references :post
    t.string :author
    t.text :text
    t.timestamps
  end
end

class Post < ActiveRecord::Base
  has_many :comments, dependent: :destroy
  validates :title, presence: true, length: {maximum: 80}
  validates :views, numericality: {greater_than_or_equal_to: 0}
  before_save { self.title = title.strip }
  scope :recent, -> { order(created_at: :desc).limit(30) }

  def summary = body.to_s.truncate(60)
end

class Comment < ActiveRecord::Base
  belongs_to :post
  validates :author, :text, presence: true
end

30.times do |i|
  post = Post.create!(title: "Post #{i}", body: "Body of <b>#{i}</b> " * 10, views: i * 3, price: i + 0.5)
  3.times { |j| post.comments.create!(author: "A#{j}", text: "Text & more #{j}") }
end

class PostsController < ActionController::Base
  prepend_view_path "#{__dir__}/views"
  layout "application"
  before_action :set_post, only: %i[show edit update]

  def index
    @posts = Post.recent.includes(:comments)
    respond_to do |format|
      format.html
      format.json { render json: @posts.map { |post| in_list(post) } }
    end
  end

  def show
    respond_to do |format|
      format.html
      format.json { render json: @post }
    end
  end

  def new = @post = Post.new
  def edit = nil

  def create
    @post = Post.new(post_params)
    return redirect_to @post, notice: "Created" if @post.save
    render :new, status: :unprocessable_entity
  end

  def update
    return redirect_to @post if @post.update(post_params)
    render :edit, status: :unprocessable_entity
  end

  private

  def set_post = @post = Post.find(params[:id])
  def post_params = params.require(:post).permit(:title, :body, :views, :published, :price)
  def in_list(post) = post.as_json(only: %i[id title views price created_at]).merge(summary: post.summary)
end

class CommentsController < ActionController::Base
  def create
    comment = Post.find(params[:post_id]).comments.new(params.require(:comment).permit(:author, :text))
    return head :created if comment.valid?
    render json: comment.errors.full_messages, status: :unprocessable_entity
  end
end
